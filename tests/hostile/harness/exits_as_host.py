# expect: load_error
# problem: level1/19
# tricks: H13
# twin: ../twins/relu.py
# about: Ends as our own host does when it fails.
import os

os._exit(70)
