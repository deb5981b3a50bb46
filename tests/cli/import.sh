# Robots in URDF files become models that run; what is wrong in a file is said with its line.
. "$(dirname "$0")/expect.sh"
robots=$SOURCE/tests/urdf
"$DALEMBERT" import "$robots/planar.urdf" -o planar.dal >out 2>err ||
    { grep -q "libxml2-dev" err && { cat err; exit 77; }; }

# a double pendulum, and a robot that is askew everywhere: tests/survey/joints.py
exits 0 import "$robots/planar.urdf"
says "written: planar.dal"
exits 0 run planar.dal --scheme "gauss(4)" --step 0.01 --start shoulder.q=0.5 --start elbow.q=0.4 -q
near "$(last planar.csv 2)" -0.3255718981668449 1e-12
near "$(last planar.csv 3)" -0.24057627339557291 1e-12
exits 0 import "$robots/crooked.urdf" -o crooked.dal -q
silent err
exits 0 run crooked.dal --scheme "gauss(4)" --step 0.01 --until 0.5 -q --start turn.q=0.3 --start "turn.q'=1" \
    --start extend.q=0.1 --start "extend.q'=0.5" --start tilt.q=-0.2 --start "tilt.q'=2"
near "$(last crooked.csv 2)" -0.009284172133998505 1e-11
near "$(last crooked.csv 3)" 0.6512951451316239 1e-11
near "$(last crooked.csv 4)" 3.876343932492724 1e-11

# every kind of joint, names that are none, and what is left out; all of it falls together
"$DALEMBERT" import - --floating <"$robots/rover.urdf" >rover.dal 2>err || fail "from standard input"
for words in "limits of mast" "holonomic grip_2.q = grip_1.q" "safety controllers of mast" "1 visual element" \
    "Joint scan stands still" "part joint_2nd_wheel : Revolute" "# wheel.1" "part sled : Planar" "part drone : Floating" "part free_2"; do
    grep -qF -- "$words" rover.dal || fail "rover.dal lacks '$words'"
done
exits 0 run rover.dal -q
near "$(last rover.csv 4)" -4.905 1e-12
exits 0 import "$robots/rover.urdf" -o still.dal -q
exits 0 run still.dal -q

# a joint that mimics another: that of a gear, 1 to -2, with an offset; both turn as J = 1 + 4
robot() { echo "<robot name=\"r\">"; cat; echo "</robot>"; }
turning() {
    echo "<link name=\"l_$1\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
    echo "<joint name=\"$1\" type=\"continuous\"><parent link=\"base\"/><child link=\"l_$1\"/><axis xyz=\"0 0 1\"/>$2</joint>"
}
{ echo '<link name="base"/>'; turning a ""; turning b '<mimic joint="a" multiplier="-2" offset="0.5"/>'; } | robot >gear.urdf
exits 0 import gear.urdf -o gear.dal -q
exits 0 run gear.dal --set a.torque=10 --until 1 --columns "a.q, b.q" -q
near "$(last gear.csv 2)" 1 1e-12
near "$(last gear.csv 3)" -1.5 1e-12
sed 's/joint="a"/joint="c"/' gear.urdf >robot.urdf
exits 1 import robot.urdf -o never.dal
says "there is no joint 'c', which joint 'b' mimics"

# wrong LINE WORDS: robot.urdf is refused with these words at this line
wrong() {
    exits 1 import robot.urdf -o never.dal
    says "robot.urdf:$1: error: $2"
    absent never.dal
}
link() { echo "<link name=\"$1\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"; }
joint() { echo "<joint name=\"$1\" type=\"continuous\"><parent link=\"$2\"/><child link=\"$3\"/></joint>"; }
robot() { echo "<robot name=\"r\">"; cat; echo "</robot>"; }

cat >robot.urdf <<'XML'
<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
<!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">]>
<robot name="&lol3;"/>
XML
wrong 2 "document types are not read"
cat >robot.urdf <<'XML'
<!DOCTYPE robot SYSTEM "http://example.invalid/robot.dtd"><robot name="r"/>
XML
wrong 1 "document types are not read"
cat >robot.urdf <<'XML'
<robot name="&e;"/>
XML
wrong 1 "Entity 'e' not defined"
{ link a && link b; } | robot >robot.urdf
wrong 3 "links 'a' and 'b' are both the child of no joint"
{ link a && link a && joint j a a; } | robot >robot.urdf
wrong 3 "a second link is called 'a', as in line 2"
{ link a && link b && joint j a b && joint j b a; } | robot >robot.urdf
wrong 5 "a second joint is called 'j', as in line 4"
{ link a && link b && joint j a b && joint k b a; } | robot >robot.urdf
wrong 1 "no link is the root"
{ link r && link a && link b && joint j a b && joint k b a; } | robot >robot.urdf
wrong 3 "link 'a' is in a loop of joints"
{ link a && joint j a a; } | robot >robot.urdf
wrong 1 "no link is the root"
{ link a && link b && joint j a c; } | robot >robot.urdf
wrong 4 "there is no link 'c', the child of joint 'j'"
{ link a && link b && link c && joint j a c && joint k b c; } | robot >robot.urdf
wrong 6 "link 'c' is the child of two joints, 'j' and 'k'"
{ link a && echo "<joint name='j' type='revolute'><parent link='a'/></joint>"; } | robot >robot.urdf
wrong 3 "joint 'j' has no <child>"
{ link a && link b && joint j a b | sed 's/continuous/ball/'; } | robot >robot.urdf
wrong 4 "joint 'j' has the type 'ball'; there are revolute"
{ link a && link b && joint j a b | sed 's/<child/<axis xyz="0 0 0"\/><child/'; } | robot >robot.urdf
wrong 4 "the axis of joint 'j' has the length 0"
{ link a && link b && joint j a b | sed 's/<child/<axis xyz="1 nan 0"\/><child/'; } | robot >robot.urdf
wrong 4 'xyz="1 nan 0" of <axis> is not three finite numbers'
{ link a && link b && joint j a b | sed 's/<child/<origin rpy="1 0"\/><child/'; } | robot >robot.urdf
wrong 4 'rpy="1 0" of <origin> is not three finite numbers'
{ link a && link b | sed 's/mass value="1"/mass value="-1"/' && joint j a b; } | robot >robot.urdf
wrong 3 "the mass of link 'b' is negative: -1"
{ link a && link b | sed 's/mass value="1"/mass value="1e999"/' && joint j a b; } | robot >robot.urdf
wrong 3 'value="1e999" of <mass> is not a finite number'
{ link a && link b | sed 's/ixx="1"/ixx="1" ixy="2"/' && joint j a b; } | robot >robot.urdf
wrong 3 "the moments of inertia of link 'b' are those of no body"
{ link a && link b | sed 's/ixx="1"//' && joint j a b; } | robot >robot.urdf
wrong 3 '<inertia> has no ixx="..."'
{ echo "<link/>"; } | robot >robot.urdf
wrong 2 '<link> has no name="..."'
echo '<robot name="r"/>' >robot.urdf
wrong 1 "the robot has no links"
echo '<sdf version="1.6"/>' >robot.urdf
wrong 1 "<sdf> is no robot"
echo '<robot name="r" xmlns:xacro="x"><xacro:macro name="m"/></robot>' >robot.urdf
wrong 1 "<xacro:macro> is a macro: expand the file first"
{ link a && echo "<link name='b'/>" && joint j a b; } | robot >robot.urdf
wrong 1 "nothing of this robot moves"
echo '<robot name="r"><link name="a">' >robot.urdf
wrong 1 "the document ends too early"
: >robot.urdf
wrong 1 "the document ends too early"
head -c 3000 /dev/urandom | tr -d '<' >robot.urdf
wrong 1 ""
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<a>" }' >robot.urdf
wrong 1 ""

# large ones: a star of 20000 links, and more bytes than are read
{
    link a
    awk 'BEGIN { for (i = 0; i < 20000; i++) printf "<link name=\"b%d\"><inertial><mass value=\"1\"/></inertial></link>" \
        "<joint name=\"j%d\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b%d\"/><limit/></joint>\n", i, i, i }'
} | robot >star.urdf
exits 0 import star.urdf -q
grep -qF "limits of j0, j1," star.dal || fail "star.dal lacks its limits"
{ echo "<robot name='r'>" && yes "<!-- a long comment, which is read and forgotten, over and over again -->" | head -c 70000000; } >huge.urdf
exits 3 import huge.urdf
says "huge.urdf is larger than 64 MB"
rm huge.urdf
exits 3 import nowhere.urdf
says "cannot open nowhere.urdf"
finish
