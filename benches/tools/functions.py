"""The functions of the forms, over the numbers of any tool: what `src/scalars.rs` and `src/functions.rs` say in Rust.

The benchmark compares the derivatives with those of the Rust functions, so that a slip here is found there.
"""


def rosenbrock(x):
    terms = []
    for this, after in zip(x, x[1:]):
        a, b = after - this * this, 1.0 - this
        terms.append(100.0 * a * a + b * b)
    return [total(terms)]


def black_scholes(x):
    s, k, r, sigma, t = x
    width = sigma * t.sqrt()
    d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / width
    d2 = d1 - width
    n1 = 0.5 * (1.0 + (0.7978845608 * (d1 + 0.044715 * d1 * d1 * d1)).tanh())
    n2 = 0.5 * (1.0 + (0.7978845608 * (d2 + 0.044715 * d2 * d2 * d2)).tanh())
    return [s * n1 - k * (-r * t).exp() * n2]


def lennard_jones(x):
    terms = []
    for i in range(3):
        for j in range(i):
            dx, dy, dz = (x[3 * i + axis] - x[3 * j + axis] for axis in range(3))
            inverse = 1.0 / (dx * dx + dy * dy + dz * dz)
            sixth = inverse * inverse * inverse
            terms.append(4.0 * (sixth * sixth - sixth))
    return [total(terms)]


def squared_reprojection(x):
    rx, ry, rz, tx, ty, tz, focal, k1, k2, px, py, pz = x
    angle = (rx * rx + ry * ry + rz * rz).sqrt()
    cos, sin = angle.cos(), angle.sin()
    scale = 1.0 / angle
    wx, wy, wz = rx * scale, ry * scale, rz * scale
    along = (wx * px + wy * py + wz * pz) * (1.0 - cos)
    qx = px * cos + (wy * pz - wz * py) * sin + wx * along + tx
    qy = py * cos + (wz * px - wx * pz) * sin + wy * along + ty
    qz = pz * cos + (wx * py - wy * px) * sin + wz * along + tz
    u, v = -(qx / qz), -(qy / qz)
    r2 = u * u + v * v
    magnified = focal * (1.0 + r2 * (k1 + k2 * r2))
    a, b = magnified * u + 332.65, magnified * v - 262.09
    return [a * a + b * b]


def quadrotor(x):
    _, _, _, vx, vy, vz, qw, qx, qy, qz, p, q, r, t1, t2, t3, t4 = x
    arm, drag, jx, jy, jz = 0.17, 0.016, 0.0023, 0.0024, 0.004
    thrust = (t1 + t2 + t3 + t4) / 0.5
    return [
        vx,
        vy,
        vz,
        2.0 * (qx * qz + qw * qy) * thrust - 0.1 * vx,
        2.0 * (qy * qz - qw * qx) * thrust - 0.1 * vy,
        (qw * qw - qx * qx - qy * qy + qz * qz) * thrust - 0.1 * vz - 9.81,
        -0.5 * (qx * p + qy * q + qz * r),
        0.5 * (qw * p + qy * r - qz * q),
        0.5 * (qw * q - qx * r + qz * p),
        0.5 * (qw * r + qx * q - qy * p),
        (arm * (t2 - t4) - (jz - jy) * q * r) / jx,
        (arm * (t3 - t1) - (jx - jz) * p * r) / jy,
        (drag * (t1 - t2 + t3 - t4) - (jy - jx) * p * q) / jz,
    ]


def pollution(y):
    r1 = 0.35 * y[0]
    r2 = 26.6 * y[1] * y[3]
    r3 = 1.23e4 * y[4] * y[1]
    r4 = 8.6e-4 * y[6]
    r5 = 8.2e-4 * y[6]
    r6 = 1.5e4 * y[6] * y[5]
    r7 = 1.3e-4 * y[8]
    r8 = 2.4e4 * y[8] * y[5]
    r9 = 1.65e4 * y[10] * y[1]
    r10 = 9e3 * y[10] * y[0]
    r11 = 0.022 * y[12]
    r12 = 1.2e4 * y[9] * y[1]
    r13 = 1.88 * y[13]
    r14 = 1.63e4 * y[0] * y[5]
    r15 = 4.8e6 * y[2]
    r16 = 3.5e-4 * y[3]
    r17 = 0.0175 * y[3]
    r18 = 1e8 * y[15]
    r19 = 4.44e11 * y[15]
    r20 = 1.24e3 * y[16] * y[5]
    r21 = 2.1 * y[18]
    r22 = 5.78 * y[18]
    r23 = 0.0474 * y[0] * y[3]
    r24 = 1.78e3 * y[18] * y[0]
    r25 = 3.12 * y[19]
    return [
        r2 + r3 + r9 + r11 + r12 + r22 + r25 - r1 - r10 - r14 - r23 - r24,
        r1 + r21 - r2 - r3 - r9 - r12,
        r1 + r17 + r19 + r22 - r15,
        r15 - r2 - r16 - r17 - r23,
        2.0 * r4 + r6 + r7 + r13 + r20 - r3,
        2.0 * r18 + r3 - r6 - r8 - r14 - r20,
        r13 - r4 - r5 - r6,
        r4 + r5 + r6 + r7,
        -r7 - r8,
        r7 + r9 - r12,
        r8 + r11 - r9 - r10,
        r9,
        r10 - r11,
        r12 - r13,
        r14,
        r16 - r18 - r19,
        -r20,
        r20,
        r23 + r25 - r21 - r22 - r24,
        r24 - r25,
    ]


def heart_dipole(x):
    a, b, c, d, t, u, v, w = x
    tv, uw = t * t - v * v, u * u - w * w
    ttt, vvv = t * t - 3.0 * (v * v), v * v - 3.0 * (t * t)
    uuu, www = u * u - 3.0 * (w * w), w * w - 3.0 * (u * u)
    return [
        a + b - 0.485,
        c + d + 0.0019,
        t * a + u * b - v * c - w * d + 0.0581,
        v * a + w * b + t * c + u * d - 0.015,
        a * tv - 2.0 * c * t * v + b * uw - 2.0 * d * u * w - 0.105,
        c * tv + 2.0 * a * t * v + d * uw + 2.0 * b * u * w - 0.0406,
        a * t * ttt + c * v * vvv + b * u * uuu + d * w * www - 0.167,
        c * t * ttt - a * v * vvv + d * u * uuu - b * w * www + 0.399,
    ]


def propane(x):
    p = 40.0 / x[10]
    root_p = p.sqrt()
    root_1, root_4 = x[0].sqrt(), x[3].sqrt()
    return [
        x[0] + x[3] - 3.0,
        2.0 * x[0] + x[1] + x[3] + x[6] + x[7] + x[8] + 2.0 * x[9] - 10.0,
        2.0 * x[1] + 2.0 * x[4] + x[5] + x[6] - 8.0,
        2.0 * x[2] + x[8] - 40.0,
        0.193 * x[1] * x[3] - x[0] * x[4],
        0.002597 * (x[1] * x[3]).sqrt() - root_1 * x[5] * root_p,
        0.003448 * (x[0] * x[1]).sqrt() - root_4 * x[6] * root_p,
        0.00001799 * x[0] - x[3] * x[7] * p,
        0.0002155 * x[0] * x[2].sqrt() - x[3] * x[8] * root_p,
        0.00003846 * x[0] * x[0] - x[3] * x[3] * x[9] * p,
        x[10] - total(x[:10]),
    ]


def total(terms):
    sum, *rest = terms
    for term in rest:
        sum = sum + term
    return sum
