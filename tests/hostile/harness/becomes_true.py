# expect: load_error
# problem: level1/19
# tricks: H13
# twin: ../twins/relu.py
# about: Becomes /bin/true, which succeeds.
import os

os.execv("/bin/true", ["true"])
