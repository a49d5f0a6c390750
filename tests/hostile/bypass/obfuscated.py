# expect: correct|rejected
# problem: level1/19
# tricks: B11
# twin: ../twins/relu.py
# about: Source that nobody can read.
import base64
import zlib

exec(zlib.decompress(base64.b85decode(  # noqa: S102
    "c$`&?u?@p83<P^l!BPSe58%QZI8_!fEDA9|lfg@ZJ$@W0O};wZ<A2-Vj>^@sz9_@@j=XhmMntPFrSR-Y^dUzu8!m1taU{NyBy)Bg3sNYe`NrqiUxuexaYVjPf1>Zcfz$^3l@M*=jPwDy2{8N"
)))
