"""Which gates decide something: karat refuses those that every value passes, that none does, or that fail only where a
figure gets better. Generators ask here, so that what they write is a gate."""

from fractions import Fraction


def decides(op, threshold, better, least=0, most=1, count=False, switchable=False):
    """Whether a gate is accepted. `better` is "up" or "down"; `most` is None without an upper bound; `switchable` counts
    may be switched off with >=0."""
    if op == "=":
        op = ">=" if better == "up" else "<="
    at = Fraction(threshold)
    above = most is not None and at > most
    at_most = most is not None and at >= most
    passes_always = {">=": at <= least, ">": at < least, "<=": at_most, "<": above, "==": False}[op]
    passes_never = {">=": above, ">": at_most, "<=": at < least, "<": at <= least, "==": at < least or above}[op]
    if passes_never:
        return False
    if passes_always:
        return count and switchable
    return count or op == "==" or (op in (">=", ">")) == (better == "up")
