# kernelbench with CUDA, PyTorch and all that judging needs.
#
#   docker build -t kernelbench .
#   docker run --rm --gpus all kernelbench doctor --certify
#   docker run --rm --gpus all -v "$PWD:/work" kernelbench eval softmax.cu --problem level1/23
#
# A container holds back namespaces that the full sandbox wants: `doctor` says
# which level is left, and what to allow for more.
FROM nvidia/cuda:13.2.0-devel-ubuntu24.04
COPY . /opt/kernelbench
WORKDIR /opt/kernelbench
RUN apt-get update && \
    apt-get install -y --no-install-recommends make && \
    make ready && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["/opt/kernelbench/build/dist/bin/kernelbench"]
CMD ["doctor"]
