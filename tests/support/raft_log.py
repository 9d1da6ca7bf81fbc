"""A small log of an election, and a spec for it."""

RAFT = """\
n1 {"n1":1}
became candidate term=1
n2 {"n1":1, "n2":1}
became follower term=1
n1 {"n1":2, "n2":1}
became leader
n2 {"n1":1, "n2":2}
timed out
n2 {"n1":1, "n2":3}
became leader term=2
"""
SPEC = """
processes = ["n1", "n2"]
window = "unlimited"
never = ["two_leaders"]
[variables]
text = ["became (?<role>\\\\w+)", 'term=(?<term>\\d+)']
[properties]
two_leaders = "possibly(n1.role == 'leader' and n2.role == 'leader')"
same_term = "possibly(n1.role == 'leader' and n2.role == 'leader' and n1.term == n2.term)"
"""
