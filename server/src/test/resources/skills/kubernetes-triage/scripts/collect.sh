#!/usr/bin/env bash
set -euo pipefail
kubectl --namespace "$1" describe pod "$2"
