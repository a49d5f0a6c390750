"""Says in one JSON object what this interpreter and its PyTorch are.

Run as ``python3 -I probe.py``; prints one line, exits 0 whenever it could
print. Must stay runnable by old interpreters, because its answer is how an old
interpreter is recognised. The fields are read by src/compile/python.cc:

executable      what to start, also behind a shim
version         "3.11.7"
prefix, base_prefix   the virtual environment and what it was made from
path            sys.path: the folders that imports come from
torch           version, cuda ("" without), package (torch's folder); absent
                when the import failed, then torch_error says why
has_numpy, has_triton
fla             version of flash-linear-attention, "" without it
library_dirs, include_dirs   of the nvidia-* wheels
devices         index, name, capability "9.0", total_bytes, uuid "GPU-..."
                ("" where torch does not tell)
driver          "580.159.04", "" without one
"""

import ctypes
import glob
import importlib.metadata
import importlib.util
import json
import os
import sys


def driver_version() -> str:
    """The driver's version by NVML, which works in containers too."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return ""
    text = ctypes.create_string_buffer(96)
    if nvml.nvmlInit_v2() != 0:
        return ""
    found = nvml.nvmlSystemGetDriverVersion(text, len(text)) == 0
    nvml.nvmlShutdown()
    return text.value.decode() if found else ""


def fla_version() -> str:
    """Of flash-linear-attention, whose operators are a package of their own."""
    try:
        return importlib.metadata.version("fla-core")
    except importlib.metadata.PackageNotFoundError:
        return ""


def devices(torch) -> list:
    """The visible CUDA devices. Creates no context on them."""
    found = []
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        found.append(
            {
                "index": index,
                "name": properties.name,
                "capability": "%d.%d" % (properties.major, properties.minor),
                "total_bytes": properties.total_memory,
                "uuid": "GPU-%s" % properties.uuid if hasattr(properties, "uuid") else "",
            }
        )
    return found


def torch_facts() -> dict:
    """What there is to know once torch could be imported."""
    import torch

    package = os.path.dirname(os.path.realpath(torch.__file__))
    nvidia = os.path.join(os.path.dirname(package), "nvidia", "*")
    facts = {
        "torch": {
            "version": str(torch.__version__),
            "cuda": torch.version.cuda or "",
            "package": package,
        },
        "library_dirs": sorted(glob.glob(os.path.join(nvidia, "lib"))),
        "include_dirs": sorted(glob.glob(os.path.join(nvidia, "include"))),
        "devices": [],
    }
    try:
        facts["devices"] = devices(torch)
    except RuntimeError as error:
        facts["devices_error"] = str(error)
    return facts


def main() -> None:
    facts = {
        "version": "%d.%d.%d" % sys.version_info[:3],
        "executable": sys.executable,
        "prefix": sys.prefix,
        "base_prefix": sys.base_prefix,
        "path": [folder for folder in sys.path if os.path.isdir(folder)],
        "has_numpy": importlib.util.find_spec("numpy") is not None,
        "has_triton": importlib.util.find_spec("triton") is not None,
        "fla": fla_version(),
        "driver": driver_version(),
    }
    try:
        facts.update(torch_facts())
    except (ImportError, OSError) as error:
        facts["torch_error"] = str(error)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
