/** Colour as people see it: WCAG contrast, and distance under simulated colour blindness. */
type Triple = readonly [number, number, number];

function linear(hex: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG 2.2 contrast ratio of two opaque `#rrggbb` colours. */
export function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB; rows of 3 × 3 matrices. */
const visions = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;
export type Vision = keyof typeof visions;
export const visionNames = Object.keys(visions) as Vision[];

function seen(hex: string, vision: Vision): Triple {
  const [red, green, blue] = linear(hex);
  const matrix = visions[vision];
  const row = (at: 0 | 3 | 6): number => {
    const value = matrix[at] * red + matrix[(at + 1) as 1] * green + matrix[(at + 2) as 2] * blue;
    return Math.min(1, Math.max(0, value));
  };
  return [row(0), row(3), row(6)];
}

function lab([red, green, blue]: Triple): Triple {
  const fold = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = fold((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = fold(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = fold((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIE76 distance of two colours as someone with that vision sees them; about 2.3 is just noticeable. */
export function distance(a: string, b: string, vision: Vision): number {
  const [first, second] = [lab(seen(a, vision)), lab(seen(b, vision))];
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}
