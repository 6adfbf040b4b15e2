#!/usr/bin/env bash
# usage: pkg_config.sh PREFIX CONSUMER FOLDER    Builds the consumers by hand with pkg-config's flags and runs them.
set -euo pipefail

prefix=$1 consumer=$2 folder=$3
mkdir -p "$folder"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tamis.pc)")
[[ $(pkg-config --variable=prefix tamis) -ef $prefix ]]
read -ra flags <<<"$(pkg-config --cflags tamis)"
read -ra libraries <<<"$(pkg-config --libs tamis)"
export LD_LIBRARY_PATH=$prefix/lib

"${CXX:-g++}" -std=c++20 "${flags[@]}" "$consumer/consumer.cpp" -o "$folder/consumer_cpp" "${libraries[@]}"
"${CC:-gcc}" -std=c99 "${flags[@]}" "$consumer/consumer.c" -o "$folder/consumer_c" "${libraries[@]}"
"$folder/consumer_cpp"
"$folder/consumer_c"
