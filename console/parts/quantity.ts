const suffixes: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
}

/** Number of a quantity such as `500m` or `10Gi`; NaN: not a quantity. Source: Kubernetes API, "Quantity". */
export function quantity(value: unknown): number {
  const [, digits = '', suffix = ''] =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(value)) ?? []
  return digits === '' ? NaN : Number(digits) * (suffixes[suffix] ?? NaN)
}
