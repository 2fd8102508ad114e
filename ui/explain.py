"""The "How it works" texts: definition, formula, source and a tiny worked example."""

RISK = """
**Equivalence class.** All records with the same values of every quasi-identifier. Its size is how many people an
outsider who knows these values cannot tell apart. **k** is the smallest size in the file (Sweeney 2002).

**Risk of a record** = 1 / size of its class, for a *prosecutor*, who knows that the target is in the file; 1 / people
in the population with the same values, for a *journalist*, who knows only that the target is in the population. The
*marketer's* risk is the mean over all records: classes / records, or the mean of 1 / people with a population table.

**At risk**: risk above the threshold, which is 1 / k unless you set it apart: then a record is at risk where it is
below k. A record in a class of 5 has risk 1/5 = 20%, which is not above 20%.

**Singling out.** A combination of quasi-identifiers in which somebody is alone (or among fewer than k), while in every
part of it they are not, is the least that an attacker must know. The fewer columns, and the more such combinations, the
more a record stands out: that is its score (Elliot, Manning and Ford 2002).

*A tiny example.* Three women of 40 and one man of 52: two classes of sizes 3 and 1, so k = 1; the man's risk is 100%,
the women's 33.3%; the average is 2 classes / 4 records = 50%.

Red is what lies below the k, or above the threshold, that you ask for. A missing value counts as a value of its own
unless the Data page says otherwise. Where there is a person id, counts are of persons: who differs between rows counts
with the set of their values. Formulas and sources: `docs/definitions.md`, `docs/thresholds.md`.
"""

RELEASE = """
**The recipe** is a list of steps applied to the original each time, from top to bottom; nothing is changed in place, so
every step can be switched off, moved or taken away.

**Recode** replaces values by coarser ones: ages by ten-year intervals, a ZIP code by its first three digits, a date by
its year, words by groups you name. It never raises the risk, and blurs every record a little. **Suppress** leaves out
the records whose class is still below k: it costs those records whole. **Drop** takes a column away. Recode first,
suppress what is left.

**Information kept** = entropy of a column in the release / in the original, in bits (Shannon 1948): 100% when it tells
records apart as before, 0% when it says nothing.

**What k does not count.** k holds against someone who knows the quasi-identifiers and nothing else that leaves. So it
is said how many are alone in all that leaves; which columns would put more than 3% below k, if someone outside knew
them, until you say that nobody can; and for how many a sensitive value is certain to someone who knows two things,
because all who share these have the same value.

*A tiny example.* Ages 31, 34, 38 and 52: every one is unique, 2 bits. By ten years they are 30-39 three times and 50-59
once: 0.81 bits, 41% kept, k = 1. Suppressing the single record leaves three, k = 3.

Identifiers never leave; person ids are replaced by numbers in random order, and rows leave in random order. A value
that no step covers, such as one that only next year's file has, stops the download until you decide on it. Formulas and
sources: `docs/definitions.md`.
"""

INDIVIDUALS = """
**Peers.** Someone knows some columns of a person in the file. The peers are all records with the same values in them,
that person's included. What the peers have in a column that is not known is what can be inferred about it.

**NPP**, number of protective peers: peers with another value. **PPP**, proportion of protective peers = NPP / peers,
0% to just below 100%: at 0% every peer has the person's value, so that it is certain, even if nobody is singled out.
**PoAC** = share of the other values of the column that more than a share q of the peers have, 0% to 100%: below 100%
some values can be ruled out. It is not defined for a column of one value.

**The least over what may be known.** Nobody can tell which columns an attacker knows, so each place in the picture is
the least value over every set of the other columns (of at most so many, if you say so). Knowing more leaves fewer
peers, and not always a lower PPP: that is why every set is looked at and not just the largest.

*A tiny example.* Three women and two men; ages 45-54, 35-44, 35-44, 55-64 and 45-54. Alice and another woman are
45-54, one with cancer and one with diabetes. Who knows both columns finds two peers, one of them with another
diagnosis: PPP = 1/2. Who knows only that she is a woman finds three peers, two of them with her diagnosis: PPP = 1/3.
Her least PPP is 1/3.

**Missing values.** Who has no value in a column has nothing there to infer, and is not exposed in it; for others they
are a peer with another value. That a value is missing for certain counts as exposed only if you say so, under More.

Exposed, and red, is a value at or below the threshold. Each column is taken as sensitive in turn, because whoever knows
the rest can infer any of them. Kroes, Janssen, Groenwold and van Leeuwen, “Evaluating privacy of individuals in medical
data”, 2021. Formulas and the paper's slips: `docs/definitions.md`, `docs/errata.md`.
"""

LEAKAGE = """
**What there is to lose.** Before anything is known, n people are equally likely to be the one sought: naming them
takes $\\log_2 n$ bits, 10 for 1,024 people. Each bit halves the candidates.

**Loss of one person** = $\\log_2(n / \\text{their group})$ bits, the group being all who share their value. Whoever
knows it has so many bits less to find. 100% means that the person is alone: nothing is left to find out.

**Average loss** of a column, or of several together = the mean over all people, in bits, and as a share of $\\log_2
n$. It is the entropy of the groups' sizes: 0% when all have the same value, 100% when all have their own. Of several
columns together it is at least that of each, and at most their sum.

**Worst person** = the largest loss of all, that of the smallest group.

:material/warning: **The average hides the worst person, and even points the wrong way.** One person of a rare age
changes the mean of thousands by next to nothing. And filling rare groups, which protects the people in them, makes
the groups more even and so *raises* the average. Read it beside the worst person, the smallest group and the number
in small groups.

**Alerts** name the smallest sets of columns past one of the three limits. What contains such a set is past it too and
is not listed. A limit of 100%, or a group below 1, is switched off. A column of loss 0 is no success: nobody is found
by it, and no analysis can use it either.

*A tiny example.* Eight people, two of them women: $\\log_2 8$ = 3 bits. A woman is one of two: she loses 2 bits,
66.7%. A man is one of six: he loses 0.415 bits. On average that is (2 × 2 + 6 × 0.415) / 8 = 0.811 bits, 27%.

The measure is that of Longpré, Kreinovich and Dumrongpokaphan, “Entropy as a measure of average loss of privacy”,
2017, as used by Arca and Hewett, “Analytics on anonymity for privacy retention in smart health data”, 2021
(Proposition 2, Tables 2 and 8). A
missing value counts as a value of its own unless the Data page says otherwise; with a person id, counts are of
persons. Formulas and the paper's slips: `docs/definitions.md`, `docs/errata.md`.
"""

GENERALIZE = """
A **hierarchy** says what each value of a column becomes, level by level: 39, then 35-39, then 30-39, then \\*. A
*requirement* ⟨S, k⟩ asks that at least k records share every combination of the columns in S; there can be several,
and all must hold. A **state** is one level for each column, and all combinations of levels are the space that is
searched.

**Whole columns** looks for the state that keeps most by what you choose, and proves it: a state above one that
satisfies satisfies too, and a set of columns that fails alone fails with more, so most states need no look. **IAB** is
the search of Arca and Hewett 2021: from the table with most rows, then the fewest violating rows, one column up at a
time. It keeps as many rows as **Exhaustive**; **Greedy** takes the fewest violating rows first and stops at the first
table that satisfies. **Part by part** (Mondrian, LeFevre et al. 2006, on these hierarchies) splits the file from the
top down while every part keeps k. **Better of both** does both, shows the one that keeps more, and says by how much.

**Weights**, 0 to 3, say how much the detail of a column counts: 0 may be lost without regret, 1 is usual, 3 matters
most. Losses are then weighted, and the figures say so.

**Left out.** Records in groups that violate may be left out, up to the share you allow. Leaving out a group of one
requirement can break a group of another, so this goes on until none is broken.

**What is kept.** *Rows* and *classes* are distinct ones. *Cell loss* of a cell is (values in its group − 1) / (values
of the column − 1). *Entropy loss* of a cell is log₂(records of its group / records with its value). *Discernibility*
is the sum of squared class sizes. A record left out loses all. Ties go to fewer steps up, then to lower levels of the
first columns.

*Example.* Ages 34, 36, 37 and 52, k = 2. At ages of 5 years, 34 and 52 are alone. At 10 years, 34, 36 and 37 are
30-39 and 52 is alone. Either 52 goes to \\* with all others, or that record is left out.
"""

SCHEDULES = """
Who knows a person's age and ZIP code, and met them at a centre on a day, knows three things. Each cell of the grid,
people of one combination in one slot, is a **class**: its people cannot be told apart by that. Inviting people who are
alike to the same slot keeps classes large, so the database is anonymous before it exists.

The **anonymity vector** counts classes of one, of two, of three and so on. A schedule is better when it has fewer
classes of one; with as many of one, fewer of two; and so on. The first size that occurs is **k**.

**Random** shuffles people onto places. **Greedy** is the paper's rule: the largest combination first, into a slot of
just its size, or the roomiest, or one of half its size. **Greedy, authors' program** is the other rule that the paper's
numbers come from. **Optimal** has the smallest vector there is. *Proven* means that no schedule is better; else the
page says how far that is proven, and *Start* searches further.

**Rules.** *Own region only* and *not too far* spare people the way. *Mixed origins* keeps in each slot the share of
people of other origins small and their origins several, so that nobody thinks the screening is only for their like.
What a rule costs is shown as k, people below k and index; who cannot be placed is named.

*Example.* Four combinations of 4, 4, 5 and 2 people, and slots of 4, 2, 4, 3 and 2 places: 14,504 schedules, all but 58
of which leave somebody alone. The optimum is two classes of two, one of three and two of four.

The rules of thumb, the index and both experiments are of Caballero, Sen and Nygård, “Anticipating anonymity in
screening program databases”, 2017. Definitions, proofs and the paper's slips: `docs/definitions.md`, `docs/errata.md`.
"""

REGIONS = """
An **area** is a small place with a point and the people who live there; a **region** is several areas together. In the
release a record says its region in the place of its area. The records of a region that share all columns *known beside
the place* are a **class**; those in classes below k are left out.

**How many regions.** At first, as many as leave out at most 5%, found by halving. *By hand*, any number. Or by Croft et
al.'s *cutoff*, which is how many people a region should have: a × M^b, where M is the *entropy* in bits of
the classes of the whole file, or the number of *combinations* of values there could be. Regions = people / cutoff. The
models (dynamic GAPS) were fitted to censuses of three parts of Canada, on files of everyone who lives there: a file
of a few of the people needs larger regions, or nearly all of it is left out. The exponents b are lost in the paper's
text and unconfirmed.

**Where.** *Balanced*: rows of areas from south to north and cells from west to east, each with about as many people;
the site of a cell is the median of its points. Every area belongs to the nearest site: the cells of a Voronoi diagram.
*Clustered* (ADC) moves one site at a time to the weighted median of the nearby areas that hold members of its region's
smallest class, if the smallest class of all regions grows, or fewer regions have it. *Exchanged*, which is not in
the paper, moves one area at a time over a border: fewer records are left out, while regions become more compact and at
least so much more even, and stay in one piece.

**What it costs.** *Suppression*: records left out. *Compactness*: the distances of all areas to the middle of their
region, the median of its areas, however it was made: so all placements are measured alike. *Discernibility*: squared
sizes of the classes of k or more. *Non-uniform entropy*: bits that are missing to say from the region which area a
record is from. Less is better for all four, and one alone says little: one giant region and many tiny ones always leave
out less than even ones.

*Example.* Three areas with 2, 3 and 4 women of 40, k = 5. By area all 9 are left out. With the first two together
5 stay and 4 are left out; all three together leave out nobody, and entropy is
2 log₂(9/2) + 3 log₂(9/3) + 4 log₂(9/4) = 13.8 bits.

Croft, Shi, Sack and Corriveau, “A novel geographic partitioning system for anonymizing health care data”, 2015. Their
equations, and which of them had to be reconstructed: `docs/definitions.md`, `docs/errata.md`.
"""

FRONTIER = """
**Policy.** The values of each quasi-identifier stand in an order, and a policy cuts them into intervals; what is within
one interval is released alike. With a bit for each boundary between neighbours, 1 where it is kept, policies are
bit-strings: all 1 is the data as they are, all 0 is one group for everybody (Xia et al. 2013).

**Risk** of a policy: each record counts 1 / the people of the population with the same released values; the sum is
divided by that of the original. Without a population table the records are the population, and the risk is the share
of the original's groups that are left. **Information loss**: the Kullback-Leibler divergence of the released data from
the original ones, when every group is spread evenly over the combinations of values in it, divided by that of
everything in one group. Other measures can be chosen; in all of them a coarser policy never risks more and never loses
less.

**Frontier.** A policy dominates another if it is no worse in either figure and better in one. The frontier is what no
policy dominates, among all that were looked at. There are far too many to look at all, so a search goes on for as long
as you let it. **Area under the stair**: less is better.

**Safe Harbor** (45 CFR 164.514(b)(2)) is one policy: ages of 90 and more together, three digits of the ZIP code, areas
of 20,000 people or fewer as 000, only the year of dates. Whatever lies in the shade left of it and below it dominates
it.

**Interval programs.** With all columns but one fixed, risk and loss are sums over that column's intervals. So the best
cuts of it, for any exchange of risk for loss, are a shortest path. The search does so column by column, where the stair
has most room. It is exact for one column, and not for all together.

*A tiny example.* Two records of age 30, one of 31 and one of 60; ten people of age 30, ten of 31, ten of 60 and nobody
else. As they are, the risk is 4 × 1/10, which is 100% of itself, and nothing is lost. With 31-60 together: 2/10 + 2/20,
or 75%, and still nothing is lost, since 31 and 60 are as frequent: this dominates the data as they are. With 30-31
together: 3/20 + 1/10, or 62.5%, but 30 was twice as frequent: 72% of what can be lost. All together: 4/30, or 33.3%,
and 100% lost. The frontier is these three.

Formulas, proofs and sources: `docs/definitions.md`.
"""
