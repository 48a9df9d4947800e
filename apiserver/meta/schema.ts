/**
 * The structure of a kind: the single source of validation, pruning, OpenAPI, `kubectl explain`, patch strategies and
 * server-side apply. Keywords are OpenAPI v3's, with the additions below.
 * Source: Kubernetes API reference, JSONSchemaProps.
 */
export interface Schema {
  description?: string
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  /** `int32`, `int64`, `double`, `byte` (base64, RFC 4648 section 4), `date-time`. */
  format?: string
  /** The declared order is the order on the wire. */
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
  /** True if the bound itself is excluded. */
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  /** Pattern in the syntax of RE2. */
  pattern?: string
  /** Subschemas that only validate, without defining structure. */
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
  /** Unions of built-in kinds: fields that exclude each other. Informative only. */
  'x-kubernetes-unions'?: readonly unknown[]
  /** Not published. A shared definition: OpenAPI publishes this schema once under this name and refers to it
   *  (`com.example.v1.Widget`). */
  definition?: string
  /** Not published. If the field is required, the rules of its kind report that it is missing, besides other errors. */
  isRuled?: boolean
  /**
   * Not published. The field is dropped if it is empty (`""`, 0, false, `[]`, `{}`), like a Go field tagged
   * `omitempty`; otherwise an empty value is kept as sent. `null` is dropped in both cases, unless `nullable`.
   */
  omitEmpty?: boolean
  /** Not published. True if a disabled feature guards the field: it is known, and dropped with any value. */
  isDisabled?: boolean
  /**
   * Not published. Fields of disabled features are dropped only inside the first of these fields
   * that is set. Rules refuse more than one of them.
   */
  dropsInsideFirst?: readonly string[]
  /**
   * Not published. True if the struct is dropped when it only contained fields of disabled
   * features.
   */
  goesWithDisabled?: boolean
  /**
   * Not published. The value is a secret: users who may not see the object's secrets get a mask in its place, and the
   * audit log shows its presence but never the value. The keys of a map are shown.
   */
  secret?: boolean
  /** Not published. The string is a URL or host of this form. */
  url?: UrlForm
  /** Not published. The value has a canonical form on the wire. */
  canonical?: 'quantity' | 'time' | 'microTime' | 'bytes' | 'double'
  /** Not published. A decoder accepts a boolean or an object, and refuses any other value with this message. */
  orBoolean?: string
  /** Not published. True for a type with its own decoder, which drops unknown fields without a report. */
  hidesUnknown?: boolean
  /** Not published. Quantities are rounded up to thousandths. */
  roundsToMilli?: boolean
  /** Not published. True to drop null values of the map, unless they are nullable. */
  dropsNulls?: boolean
  /**
   * Not published. A null among the items of the list stays null and its type is validated. Otherwise it becomes the
   * empty value of its type, as for the Go decoder.
   */
  keepsNulls?: boolean
  /** Not published. True if an object or a list without a schema has no known fields, whatever its type. */
  prunes?: boolean
  /**
   * Not published. True to refuse members that `properties` does not name; `additionalProperties` describes which parts
   * of them are kept.
   */
  forbidsOthers?: boolean
  /** Not published. Value of an omitted field, as for a Go field without `omitempty`. */
  zero?: unknown
}

/**
 * Forms of URLs. `http`: an absolute HTTP URL. `issuer`: the same without query and fragment. `asset`: an HTTP URL or a
 * path on this server. `link`: also an e-mail address. `repository`: HTTP or OCI. `redirect`: any scheme that browsers
 * do not execute, with `*` allowed. `host`: a host, optionally with a port. `httpHost`: a host or an HTTP URL.
 */
export type UrlForm =
  'http' | 'issuer' | 'asset' | 'link' | 'repository' | 'redirect' | 'host' | 'httpHost'
