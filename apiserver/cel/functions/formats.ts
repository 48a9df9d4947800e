import { validated as validatedCost } from '../cost/actualCosts.ts'
import { validated } from '../cost/estimates.ts'
import {
  dns1035Errors,
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  subdomainErrors,
} from '../../meta/names/nameValidation.ts'
import { customDialect, hasFormat } from '../../registry/schema/schemaDialect.ts'
import { Opaque, Optional } from '../values/scalars.ts'
import type { FunctionTable } from './row.ts'

/** A string format. */
class Format extends Opaque {
  readonly typeName = 'kubernetes.NamedFormat'
  readonly errorsOf: (text: string) => readonly string[]
  /** Cost of the pattern that corresponds to the format. */
  readonly patternCost: number

  constructor(errorsOf: (text: string) => readonly string[], patternCost: number) {
    super()
    this.errorsOf = errorsOf
    this.patternCost = patternCost
  }

  equals(other: Format): boolean {
    return this === other
  }
}

/** Cost of matching a format; 0 for other values. */
function patternCostOf(value: unknown): number {
  return value instanceof Format ? value.patternCost : 0
}

type Errors = (text: string) => readonly string[]

/** Checks a prefix. It is valid if it is still valid with the suffix that `generateName` adds. */
const prefix = (errors: Errors) => (text: string) => errors(text.replace(/-$/, 'a'))

const ofFormat = (format: string, why: string) => (text: string) =>
  hasFormat(customDialect, format, text) ? [] : [why]

const formats: Readonly<Record<string, Errors>> = {
  dns1123Label: labelErrors,
  dns1123Subdomain: subdomainErrors,
  dns1035Label: dns1035Errors,
  qualifiedName: labelKeyErrors,
  dns1123LabelPrefix: prefix(labelErrors),
  dns1123SubdomainPrefix: prefix(subdomainErrors),
  dns1035LabelPrefix: prefix(dns1035Errors),
  labelValue: labelValueErrors,
  uri: ofFormat('uri', 'invalid URI for request'),
  uuid: ofFormat('uuid', 'does not match the UUID format'),
  byte: ofFormat('byte', 'invalid base64'),
  date: ofFormat('date', 'invalid date'),
  datetime: ofFormat('datetime', 'invalid datetime'),
}

/** Pattern costs in kube-apiserver. */
const patternCosts: Readonly<Record<string, number>> = {
  dns1123Label: 8,
  dns1123Subdomain: 15,
  dns1035Label: 8,
  qualifiedName: 15,
  dns1123LabelPrefix: 8,
  dns1123SubdomainPrefix: 15,
  dns1035LabelPrefix: 8,
  labelValue: 10,
  uri: 276,
  uuid: 18,
  byte: 21,
  date: 18,
  datetime: 18,
}

const named = new Map(
  Object.entries(formats).map(([name, errors]) => [
    name,
    new Format(errors, patternCosts[name] ?? 0),
  ]),
)

function formatNamed(name: string): Optional {
  const found = named.get(name)
  return found === undefined ? Optional.none : Optional.of(found)
}

function errorsOf(format: Format, text: string): Optional {
  const errors = format.errorsOf(text)
  return errors.length === 0 ? Optional.none : Optional.of([...errors])
}

/** Functions for formats. Source: Kubernetes documentation, "CEL in Kubernetes", Format library. */
export const formatFunctions: FunctionTable = {
  validate: {
    forms: { '.kubernetes.NamedFormat,string optional(list(string))': errorsOf },
    cost: validatedCost(patternCostOf),
    estimate: validated,
  },
  'format.named': { forms: { 'string optional(kubernetes.NamedFormat)': formatNamed } },
  ...Object.fromEntries(
    [...named].map(([name, format]) => [
      `format.${name}`,
      { forms: { ' kubernetes.NamedFormat': () => format } },
    ]),
  ),
}
