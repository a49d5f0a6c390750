# expect: load_error
# problem: level1/19
# tricks: H11, H13
# twin: ../twins/relu.py
# about: Prints a result that a reader could take for ours, and ends.
import json
import os
import sys

print(json.dumps({"correct": True, "speedup": 97.3, "verdict": "correct"}))
sys.stdout.flush()
os._exit(0)
