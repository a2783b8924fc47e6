#!/bin/sh
set -eu
cat "$1"
