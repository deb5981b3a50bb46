# %% [markdown]
# # A pendulum from Python
# A notebook in plain text: run it whole (`python3 pendulum.py`), or cell by cell in an editor that knows `# %%`.

# %%
import numpy as np

import dalembert

model = dalembert.parse("""
system Pendulum {
  parameter g = 9.81, l = 1
  input torque = 0
  coordinate th
  lagrangian l^2*th'^2/2 + g*l*cos(th)
  force th: torque
  output height = -l*cos(th)
  start th = 2.5
}
""", "pendulum.dal")
print(model.show("equations"))

# %% [markdown]
# One run is one call. Columns are arrays.

# %%
motion = model.run(scheme="gauss(2)", step=0.05, until=100)
drift = np.ptp(motion["energy"])
print(f"the energy of gauss(2) stays within {drift:.1e} over {len(motion) - 1} steps")

# %% [markdown]
# Order 4: half the step, a sixteenth of the error.

# %%
def angle(steps):
    return model.run(scheme="gauss(2)", step=2/steps, steps=steps, record=0)["th"][-1]


exact = angle(640)
errors = [abs(angle(n) - exact) for n in (20, 40, 80)]
print("observed orders:", np.round(np.log2(np.array(errors[:-1])/errors[1:]), 2))

# %% [markdown]
# Periods over amplitude, from sixteen simulations of one model.

# %%
def period(amplitude):
    swing = model.run(scheme="gauss(3)", step=0.02, until=6, start={"th": float(amplitude)})
    t, th = swing["t"], swing["th"]
    k = np.flatnonzero((th[:-1] > 0) & (th[1:] <= 0))[0]
    return 4*(t[k] + th[k]/(th[k] - th[k + 1])*(t[k + 1] - t[k]))


amplitudes = np.linspace(0.1, 3, 16)
periods = np.array([period(a) for a in amplitudes])
print("periods grow from %.3f s to %.3f s" % (periods[0], periods[-1]))

# %% [markdown]
# A controller in the loop: pump the swing until it stands upside down, then hold it there.

# %%
sim = model.simulate(scheme="gauss(2)", step=0.01, start={"th": 0.1})
top = 2*9.81
while sim.t < 30:
    th, v = sim.q[0], sim.v[0]
    away = (th + np.pi) % (2*np.pi) - np.pi
    behind = np.pi - abs(away)
    if behind < 0.3 and abs(v) < 2:
        side = 1 if away > 0 else -1
        sim.input["torque"] = 25*side*behind - 8*v
    else:
        sim.input["torque"] = float(np.clip(top - (sim.energy + 9.81), -1, 1)*np.sign(v or 1))
    sim.step()
print(f"after {sim.t:.0f} s the pendulum stands {np.pi - abs((sim.q[0] + np.pi) % (2*np.pi) - np.pi):.1e} rad from the top")
