# expect: load_error|runtime_error
# problem: level1/19
# tricks: N18
# twin: ../twins/relu.py
# about: Kills itself as a machine without memory would.
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
