import { useDeferredValue, useState } from 'react'
import { kindId, type Kind } from '../api/kinds.ts'
import { useLoaded } from '../parts/loading.ts'
import { Badge, Empty, ErrorNote, Note, Skeleton } from '../parts/notes.tsx'
import { TableHead } from '../parts/TableHead.tsx'
import { counted } from '../parts/words.ts'
import { typeText } from '../schema/schemaText.ts'
import { SchemaTree } from '../schema/schemaTree.ts'
import type { Schema } from '../schema/schema.ts'
import { useConsole } from '../shell/console.ts'
import { useListable } from '../shell/rights.ts'
import { href, kindHref, newHref } from '../shell/route.ts'

/** Kinds that the server serves, including custom ones, with their fields. */
export default function Catalogue({ id }: { id: string }) {
  const { kinds } = useConsole()
  const kind = kinds.find((each) => kindId(each) === id)
  return (
    <main className="content">
      {kind === undefined ? <KindList kinds={kinds} /> : <KindFields key={id} kind={kind} />}
    </main>
  )
}

function catalogueHref(kind: Kind): string {
  return href(['catalogue', ...kindId(kind).split('/')])
}

function KindList({ kinds }: { kinds: readonly Kind[] }) {
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed.toLowerCase()).split(/\s+/).filter(Boolean)
  const found = kinds.filter((kind) => {
    const names = [kind.kind, kindId(kind), ...kind.shortNames].join(' ').toLowerCase()
    return words.every((word) => names.includes(word))
  })
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Catalogue of kinds</h1>
          <p className="crumbs">
            <span>Every kind of this server, with its fields.</span>
          </p>
        </div>
      </div>
      <div className="tools">
        <div className="search">
          <input
            className="input"
            aria-label="Search kinds"
            placeholder="Search: kind, group or short name"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <span className="count numbers" role="status">
          {counted(found.length, 'kind')}
        </span>
      </div>
      {found.length === 0 ? <Empty title="No kind matches the search" /> : null}
      <div className="card scroll-x" tabIndex={0} role="region" aria-label="Kinds">
        <table className="plain-table padded">
          <TableHead names={['Kind', 'Group and version', 'Scope', 'Short names', 'Verbs']} />
          <tbody>
            {found.map((kind) => (
              <tr key={kindId(kind)}>
                <td>
                  <a href={catalogueHref(kind)}>{kind.kind}</a>
                </td>
                <td className="mono">{kindId(kind).replace(/\/[^/]*$/, '')}</td>
                <td>{kind.namespaced ? 'Namespace' : 'Cluster'}</td>
                <td className="mono">{kind.shortNames.join(', ')}</td>
                <td className="hint">{[...kind.verbs].join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function KindFields({ kind }: { kind: Kind }) {
  const { client } = useConsole()
  const isListable = useListable().includes(kind)
  const tree = useLoaded(() => SchemaTree.load(client, kind), [kindId(kind)])
  return (
    <>
      <div className="page-head">
        <div>
          <p className="crumbs">
            <a href={href(['catalogue'])}>Catalogue of kinds</a>
            <span>{kindId(kind)}</span>
          </p>
          <h1>{kind.kind}</h1>
        </div>
        <div className="buttons">
          {isListable ? (
            <a className="button" href={kindHref(kind)}>
              Objects
            </a>
          ) : null}
          {kind.verbs.has('create') ? (
            <a className="button" href={newHref(kind)}>
              Create
            </a>
          ) : null}
        </div>
      </div>
      {tree.state === 'loading' ? <Skeleton lines={8} /> : null}
      {tree.state === 'failed' ? <ErrorNote error={tree.error} onRetry={tree.reload} /> : null}
      {tree.state === 'ready' && tree.value === undefined ? (
        <Note>The server publishes no schema for this kind.</Note>
      ) : null}
      {tree.state === 'ready' && tree.value !== undefined ? (
        <>
          <p className="wrap">{tree.value.root.description}</p>
          <Fields tree={tree.value} schema={tree.value.root} />
        </>
      ) : null}
    </>
  )
}

function Fields({ tree, schema }: { tree: SchemaTree; schema: Schema }) {
  const { properties = {}, required = [] } = schema
  return (
    <ul className="stack tight">
      {Object.entries(properties).map(([name, field]) => (
        <li key={name}>
          <Field
            {...{ tree, name }}
            schema={tree.resolved(field)}
            isRequired={required.includes(name)}
          />
        </li>
      ))}
    </ul>
  )
}

interface FieldProps {
  tree: SchemaTree
  name: string
  schema: Schema
  isRequired: boolean
}

/** Field; nested fields are rendered when it is opened, since schemas may be recursive. */
function Field({ tree, name, schema, isRequired }: FieldProps) {
  const [isOpen, setOpen] = useState(false)
  const inner = innerOf(tree, schema)
  const about = (
    <>
      <strong className="mono">{name}</strong> <span className="hint">{typeText(schema)}</span>{' '}
      {isRequired ? <Badge>required</Badge> : null}
      {schema.default === undefined ? null : (
        <span className="hint"> default {JSON.stringify(schema.default)}</span>
      )}
    </>
  )
  const description = <p className="hint wrap">{schema.description}</p>
  if (inner === undefined)
    return (
      <div className="form-group">
        <p className="wrap">{about}</p>
        {description}
      </div>
    )
  return (
    <details className="form-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="wrap">{about}</span>
      </summary>
      <div className="inside stack tight">
        {description}
        {isOpen ? <Fields tree={tree} schema={inner} /> : null}
      </div>
    </details>
  )
}

/** Schema with the nested fields: the schema itself, or the schema of its items or values. */
function innerOf(tree: SchemaTree, { items, additionalProperties: more, ...own }: Schema) {
  const below = items ?? (typeof more === 'object' ? more : undefined)
  const schema = below === undefined ? own : tree.resolved(below)
  return Object.keys(schema.properties ?? {}).length > 0 ? schema : undefined
}
