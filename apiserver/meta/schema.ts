/** The structure of a kind: one description from which validation, pruning, OpenAPI, `kubectl explain`,
 *  patch strategies and server-side apply are made. The words are OpenAPI v3's; what is added is said below.
 *  Source: Kubernetes API reference, JSONSchemaProps. */
export interface Schema {
  description?: string
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  /** `int32`, `int64`, `double`, `byte` (base64, RFC 4648 section 4), `date-time`. */
  format?: string
  /** Declared order is the order on the wire. */
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  /** The value schema of a map with free keys. */
  additionalProperties?: Schema
  enum?: readonly unknown[]
  default?: unknown
  nullable?: boolean
  minimum?: number
  maximum?: number
  /** The bound itself is out. */
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  /** In the syntax of RE2. */
  pattern?: string
  /** What these hold checks a value and gives it no structure. */
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  not?: Schema
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: 'granular' | 'atomic'
  'x-kubernetes-patch-strategy'?: string
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  /** Not published. A shared definition: OpenAPI publishes this schema once under this name and refers to it
   *  (`com.example.v1.Widget`). */
  definition?: string
  /** Not published. Where the field is required, the rules of its kind say that it is missing, beside all else. */
  isRuled?: boolean
  /** Not published. The field is dropped when it is empty (`""`, 0, false, `[]`, `{}`), as a Go field tagged
   *  `omitempty` is; without it an empty value is kept as sent. `null` is dropped in both cases, unless `nullable`. */
  omitEmpty?: boolean
  /** Not published. The value is a secret: those who may not see the secrets of the object get a mask in its place, and
   *  the audit log shows that it was there, never what it was. Of a map the keys are shown. */
  secret?: boolean
  /** Not published. The text is an address of this form. */
  url?: UrlForm
  /** Not published. The value has one text on the wire, however it was written. */
  canonical?: 'quantity' | 'time' | 'microTime' | 'bytes' | 'double'
  /** Not published. Quantities lose what is smaller than a thousandth: it is rounded up. */
  roundsToMilli?: boolean
  /** Not published. A null among the values of the map is left out, unless they may be null. */
  dropsNulls?: boolean
  /** Not published. A null among the items of the list is a value of its own, whose type is looked at. Else it is the empty
   *  value of its type, as it is to the Go decoder. */
  keepsNulls?: boolean
  /** Not published. Of an object or a list that the schema says nothing of no field is known, whatever its type. */
  prunes?: boolean
  /** Not published. Stands where a client left the field out, as a Go field without `omitempty` does. */
  zero?: unknown
}

/** `http`: an absolute HTTP address. `issuer`: the same without query and fragment. `asset`: an HTTP address or a path on
 *  this server. `link`: also an e-mail address. `repository`: HTTP or OCI. `redirect`: of any scheme a browser does not run,
 *  with `*` in it. `host`: a host, perhaps with a port. `httpHost`: a host or an HTTP address. */
export type UrlForm =
  'http' | 'issuer' | 'asset' | 'link' | 'repository' | 'redirect' | 'host' | 'httpHost'
