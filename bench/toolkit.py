"""Where a CUDA toolkit is for who builds with PyTorch's builder."""

import sys
from pathlib import Path


def beside_python(folder: Path) -> dict[str, str]:
    """The toolkit of the wheels that scripts/setup installs, for one architecture. Its libraries
    lack the names that a linker looks for: these are made in a folder."""
    site = Path(sys.executable).parents[1].glob("lib/python*/site-packages")
    found = [nvcc.parents[1] for packages in site for nvcc in packages.glob("nvidia/cu*/bin/nvcc")]
    if not found:
        return {}
    links = folder / "links"
    links.mkdir()
    for library in (found[0] / "lib").glob("*.so.*"):
        (links / f"{library.name.split('.so.')[0]}.so").symlink_to(library)
    return {"CUDA_HOME": str(found[0]), "LIBRARY_PATH": str(links), "TORCH_CUDA_ARCH_LIST": "9.0a"}
