"""What the way in which a release was searched for says of persons, to somebody who knows it."""

from anonlib.verdict.method.bound import greatest_of, greatest_share
from anonlib.verdict.method.findings import Example, MethodFindings, coins_of, method_findings
from anonlib.verdict.method.left_out import LeftForValue, left_for_value, not_sensitive
from anonlib.verdict.method.question import Method

__all__ = [
    "Example",
    "LeftForValue",
    "Method",
    "MethodFindings",
    "coins_of",
    "greatest_of",
    "greatest_share",
    "left_for_value",
    "method_findings",
    "not_sensitive",
]
