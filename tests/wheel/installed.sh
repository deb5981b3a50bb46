# installed.sh, in a system that has nothing of dalembert but the wheel in /check: two fresh virtual environments, one without
# numpy and one with that of the system.
set -eu
cd /check
python3 -m venv plain
python3 -m venv --system-site-packages with-numpy
for env in plain with-numpy; do
    $env/bin/pip install --quiet --no-index --disable-pip-version-check ./*.whl
    $env/bin/python -c "
import dalembert, sys
motion = dalembert.example('double_pendulum').run()
page = motion.report()
assert 'uPlot' in page and len(motion) == 1001
assert '</svg>' in str(motion.plot())
print(dalembert.__version__, sys.version.split()[0], getattr(sys.modules.get('numpy'), '__version__', 'without numpy'))
dalembert.parse('import \"parts/mechanical.dal\"\nsystem Fall {\n part ball : Mass\n force ball.x: -2\n}').run(step=0.1, steps=2)
"
    [ "$($env/bin/dalembert --version)" = "$($env/bin/python -m dalembert --version)" ]
    # no HDF5 is here: that is said, and no file is left
    ! $env/bin/dalembert run $env/lib/python3*/site-packages/dalembert/examples/pendulum.dal -o x.h5 2>$env.log
    grep -q "HDF5 cannot be loaded" $env.log
    [ ! -e x.h5 ]
    $env/bin/python -B test_dalembert.py 2>$env.log || { cat $env.log; exit 1; }
done
