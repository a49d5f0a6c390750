# expect: load_error
# problem: level1/19
# about: Ends the process with status 0 while it is being imported.
import os

os._exit(0)
