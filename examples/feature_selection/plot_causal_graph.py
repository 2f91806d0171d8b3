"""
A learned network next to the true one
======================================

LUCAS is a made-up network around lung cancer: two causes, two effects, one column that
shares an effect with it, and others that only correlate. PC learns a graph from 300
rows of it. Blue edges are right, orange ones should not be there, dashed ones are
missing; an edge without an arrowhead is one whose direction data cannot tell.
"""

import matplotlib.pyplot as plt
import pandas as pd

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.feature_selection import IAMBSelector, PCSelector
from manyminds.networks import GraphDisplay, read_graph

arcs = {
    "Smoking": ["Anxiety", "Peer_Pressure"], "Yellow_Fingers": ["Smoking"],
    "Lung_Cancer": ["Smoking", "Genetics"], "Attention_Disorder": ["Genetics"],
    "Coughing": ["Allergy", "Lung_Cancer"], "Fatigue": ["Lung_Cancer", "Coughing"],
    "Car_Accident": ["Attention_Disorder", "Fatigue"],
}  # fmt: skip
names = [*LUCAS_FEATURES, "Lung_Cancer"]
true = pd.DataFrame(0, names, names)
for child, parents in arcs.items():
    true.loc[parents, child] = 1

X, y = make_lucas(300, random_state=0)
X, y = pd.DataFrame(X, columns=LUCAS_FEATURES), pd.Series(y, name="Lung_Cancer")
selector = PCSelector(select="blanket").fit(X, y)

# %%
# Most edges are right, fewer directions are, and weak edges are lost for lack of rows:
# with 2,000 rows all edges are found.
learned, _ = read_graph(selector.graph_, names)
display = GraphDisplay(learned, true.to_numpy(), names=names)
display.plot(highlight="Lung_Cancer")
plt.show()

# %%
# For prediction the Markov blanket suffices: causes, effects and the other causes of
# the effects, five columns here. IAMB finds three of them in so few rows; yellow
# fingers, which only correlate with cancer, are not among them.
print("IAMB:", *IAMBSelector().fit(X, y).get_feature_names_out())
