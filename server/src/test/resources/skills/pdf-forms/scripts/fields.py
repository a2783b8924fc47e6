#!/usr/bin/env python3
import sys

print("\n".join(sys.argv[1:]))
