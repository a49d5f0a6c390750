#include "build_file.h"

#include <gtest/gtest.h>

namespace kb::builder {
namespace {

// As torch 2.15 writes it, with shorter options.
constexpr const char* kText = R"(ninja_required_version = 1.3
cxx = g++
nvcc = /cuda/bin/nvcc

cflags = -DTORCH_EXTENSION_NAME=relu -isystem /torch/include -fPIC -DDOLLAR='$$x'
post_cflags = 
cuda_cflags = -isystem /torch/include -arch=sm_90a
ldflags = -shared -Wl,-rpath,$$ORIGIN -ltorch

rule compile
  command = $cxx -MMD -MF $out.d $cflags -c $in -o $out $post_cflags
  depfile = $out.d
  deps = gcc

rule cuda_compile
  depfile = $out.d
  deps = gcc
  command = $nvcc -MD -MF $out.d $cuda_cflags -c $in -o $out ${post_cflags}

rule link
  command = $cxx $in $ldflags -o $out

build main.o: compile /tmp/a$ b/main.cpp
build cuda.cuda.o: cuda_compile /tmp/cuda.cu

build relu.so: link main.o cuda.cuda.o

default relu.so
)";

std::vector<Edge> Read(const std::string& text) {
  auto edges = ReadBuildFile(text);
  return edges ? *edges : std::vector<Edge>{};
}

TEST(BuildFile, EdgesHaveTheirCommands) {
  const auto edges = Read(kText);
  ASSERT_EQ(edges.size(), 3U);
  EXPECT_EQ(edges[0].command,
            "g++ -MMD -MF main.o.d -DTORCH_EXTENSION_NAME=relu -isystem "
            "/torch/include -fPIC -DDOLLAR='$x' -c /tmp/a b/main.cpp -o "
            "main.o ");
  EXPECT_EQ(edges[1].rule, "cuda_compile");
  EXPECT_EQ(edges[1].command,
            "/cuda/bin/nvcc -MD -MF cuda.cuda.o.d -isystem /torch/include "
            "-arch=sm_90a -c /tmp/cuda.cu -o cuda.cuda.o ");
  EXPECT_EQ(edges[2].command,
            "g++ main.o cuda.cuda.o -shared -Wl,-rpath,$ORIGIN -ltorch -o "
            "relu.so");
  EXPECT_EQ(edges[2].inputs,
            (std::vector<std::string>{"main.o", "cuda.cuda.o"}));
}

TEST(BuildFile, WhatPyTorchDoesNotWriteIsAnError) {
  EXPECT_FALSE(ReadBuildFile("include other.ninja\n"));
  EXPECT_FALSE(ReadBuildFile("build x: unknown y\n"));
  EXPECT_FALSE(ReadBuildFile("cxx = g++\n")) << "it builds nothing";
}

}  // namespace
}  // namespace kb::builder
