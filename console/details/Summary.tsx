import type { ReactNode } from 'react'
import type { Rights } from '../api/rights.ts'
import { isPlatformKind, type Kind, type Place } from '../api/kinds.ts'
import { listOf, mapOf, text, type ApiObject, type Condition } from '../api/objects.ts'
import { Age } from '../parts/Age.tsx'
import { TableHead } from '../parts/TableHead.tsx'
import { Badge, type Tone } from '../parts/notes.tsx'
import { Reach } from './Reach.tsx'
import { SecretSync } from './SecretSync.tsx'
import { SecretValues } from './SecretValues.tsx'

interface SummaryProps {
  kind: Kind
  place: Place
  object: ApiObject
  rights: Rights
}

/** Summary of the object: metadata, fields and conditions. */
export function Summary({ kind, place, object, rights }: SummaryProps) {
  const conditions = listOf(object, 'status', 'conditions') as readonly Condition[]
  const hasSecrets = isSecret(kind)
  return (
    <div className="stack">
      <div className="tiles wide">
        <Metadata object={object} />
        <Fields title="Specification" values={specOf(object, hasSecrets)} />
        <Fields title="Status" values={omit(mapOf(object, 'status'), ['conditions'])} />
      </div>
      {isPlatformKind(kind) && ['users', 'teams'].includes(kind.plural) ? (
        <Reach {...{ kind, place }} />
      ) : null}
      {hasSecrets ? <SecretValues {...{ kind, place, object, rights }} /> : null}
      {hasSecrets ? <SecretSync {...{ kind, place, object, rights }} /> : null}
      {conditions.length === 0 ? null : <Conditions conditions={conditions} />}
    </div>
  )
}

function isSecret(kind: Kind): boolean {
  if (kind.group === '') return kind.plural === 'secrets'
  return isPlatformKind(kind) && ['sharedsecrets', 'projectsecrets'].includes(kind.plural)
}

/** Fields besides metadata and status; kinds without a spec have them at the top level. */
function specOf(object: ApiObject, hasSecrets: boolean): Record<string, unknown> {
  const spec = mapOf(object, 'spec')
  const top = omit(object, ['apiVersion', 'kind', 'metadata', 'spec', 'status'])
  return omit({ ...top, ...spec }, hasSecrets ? ['data', 'stringData'] : [])
}

function omit(map: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)))
}

function Metadata({ object: { metadata } }: { object: ApiObject }) {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata
  const shown = Object.entries(annotations).filter(
    ([key]) => !key.endsWith('last-applied-configuration'),
  )
  return (
    <section className="card">
      <header>
        <h2>Object</h2>
      </header>
      <dl className="inside facts">
        <Fact name="Age">
          <Age since={metadata.creationTimestamp} />
        </Fact>
        {metadata.namespace === undefined ? null : (
          <Fact name="Namespace">{metadata.namespace}</Fact>
        )}
        <Fact name="Labels">
          <Pairs map={labels} />
        </Fact>
        {shown.length === 0 ? null : (
          <Fact name="Annotations">
            <Pairs map={Object.fromEntries(shown)} />
          </Fact>
        )}
        {finalizers.length === 0 ? null : (
          <Fact name="Finalizers">
            <Chips texts={finalizers} />
          </Fact>
        )}
        <Fact name="Revision">{metadata.resourceVersion}</Fact>
        <Fact name="UID">
          <code>{metadata.uid}</code>
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Pairs({ map }: { map: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(map)
  return pairs.length === 0 ? <>None</> : <Chips texts={pairs.map((pair) => pair.join('='))} />
}

function Chips({ texts }: { texts: readonly string[] }) {
  return (
    <span className="chips">
      {texts.map((each) => (
        <span key={each} className="chip">
          {each}
        </span>
      ))}
    </span>
  )
}

/** Maximum length of a value shown; larger values are in the YAML. */
const maxShown = 400

function Fields({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values).filter(([, value]) => !isEmpty(value))
  if (entries.length === 0) return null
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      <dl className="inside facts">
        {entries.map(([key, value]) => (
          <Fact key={key} name={titleOf(key)}>
            <Value value={value} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Field name as words: `clusterRef` becomes `Cluster ref`. */
function titleOf(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** Shortest readable form of a value: scalars as they are, flat lists and maps as chips, others as JSON. */
function Value({ value }: { value: unknown }) {
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (typeof value !== 'object' || value === null) return <Scalar value={value} />
  const isFlat = Object.values(value).every((each) => typeof each !== 'object' || each === null)
  if (isFlat && Array.isArray(value)) return <Chips texts={value.map(String)} />
  if (isFlat)
    return <Chips texts={Object.entries(value).map(([key, each]) => `${key}: ${String(each)}`)} />
  const lines = outline(value)
  const rest = lines.length - maxLines
  return (
    <pre className="outline">
      {lines.slice(0, maxLines).join('\n')}
      {rest > 0 ? `\n… ${rest} more lines, see YAML` : ''}
    </pre>
  )
}

const maxLines = 14

/** Nested values as indented lines. */
function outline(value: unknown, indent = ''): string[] {
  if (typeof value !== 'object' || value === null) return [indent + String(value)]
  return Object.entries(value).flatMap(([key, each]) => {
    const head = Array.isArray(value) ? '-' : `${key}:`
    if (isEmpty(each)) return []
    if (typeof each !== 'object' || each === null) return [`${indent}${head} ${String(each)}`]
    const [first = '', ...more] = outline(each, `${indent}  `)
    return Array.isArray(value)
      ? [`${indent}- ${first.trimStart()}`, ...more]
      : [`${indent}${head}`, first, ...more]
  })
}

function Scalar({ value }: { value: unknown }) {
  const shown = String(value)
  if (shown in phases) return <Badge tone={phases[shown] ?? 'plain'}>{shown}</Badge>
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(shown)
  if (isTime) return <Age since={shown} />
  return <>{shown.length > maxShown ? `${shown.slice(0, maxShown)} … (see YAML)` : shown}</>
}

function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <section className="card">
      <header>
        <h2>Conditions</h2>
      </header>
      <div className="inside scroll-x" tabIndex={0} role="region" aria-label="Conditions">
        <table className="plain-table">
          <TableHead names={['Type', 'Status', 'Reason', 'Message', 'For']} />
          <tbody>
            {conditions.map((condition) => (
              <tr key={condition.type}>
                <td className="short">{condition.type}</td>
                <td className="short">
                  <Badge tone={conditionTone(condition)}>{condition.status}</Badge>
                </td>
                <td>{condition.reason}</td>
                <td>{condition.message}</td>
                <td className="short">
                  <Age since={condition.lastTransitionTime} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Conditions with these names are bad when they are true. */
const negative = /(Failed|Failure|Pressure|Error|Degraded|Unavailable|Stalled|Terminating)$/

function conditionTone({ type, status }: Condition): Tone {
  if (status !== 'True' && status !== 'False') return 'warn'
  return (status === 'True') === negative.test(type) ? 'bad' : 'good'
}

const phases: Readonly<Record<string, Tone>> = {
  Ready: 'good',
  Active: 'good',
  Running: 'good',
  Failed: 'bad',
  Pending: 'warn',
  Terminating: 'warn',
}

/** Phase of an object as a badge; nothing without a phase. */
export function Phase({ object }: { object: ApiObject }) {
  const phase = text(object, 'status', 'phase')
  if (phase === '') return null
  return <Badge tone={phases[phase] ?? 'plain'}>{phase}</Badge>
}
