/** Types of values, named as in the real program's help. */
export type FlagType =
  | 'bool'
  | 'duration'
  | 'float'
  | 'int'
  | 'int32Slice'
  | 'ip'
  | 'keyValues'
  | 'level'
  | 'namedCertKey'
  | 'portRange'
  | 'quantity'
  | 'string'
  | 'stringArray'
  | 'strings'

export interface KubeFlag {
  name: string
  /** A letter that abbreviates the name. */
  short?: string
  type: FlagType
  section: FlagSection
  /** Default value as a string. Absent: the zero value of the type. */
  default?: string
  /** Effect in this server. Absent: the flag is accepted without effect. */
  description?: string
}

/** Sections of the help, in its order. Source: `kube-apiserver --help`. */
export const flagSections = [
  'Generic',
  'Etcd',
  'Secure serving',
  'Auditing',
  'Features',
  'Authentication',
  'Authorization',
  'API enablement',
  'Egress selector',
  'Admission',
  'Metrics',
  'Logs',
  'Traces',
  'Misc',
] as const

export type FlagSection = (typeof flagSections)[number]
