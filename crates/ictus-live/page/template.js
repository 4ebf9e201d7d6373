/** A scene to begin with. */
export const TEMPLATE = `# A scene of your own. Ctrl+Enter plays it, Ctrl+Space shows what can stand where the cursor is.
ictus = 1
title = "My scene"
duration = "4 s"

[objects.string]
kind = "string"
length = "0.8 m"
pitch = "E3"
t60 = "4 s"

[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "5 g"
law = "hunt-crossley"
stiffness = 1e9
exponent = 2.3
dissipation = 0.1

[pickups.near]
at = "string@0.9"
gain = 0.3

[[events]]
time = "0.1 s"
strike = "hammer"
velocity = "2 m/s"

[notes]
play = "hammer"
`;
