import { useDeferredValue, useMemo, useState } from 'react'
import { useLoaded } from '../parts/loading.ts'
import { Empty, ErrorNote, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { counted } from '../parts/words.ts'
import { parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import { Operation, type OperationSpec } from './Operation.tsx'

interface Index {
  paths: Record<string, { serverRelativeURL: string }>
}

interface Document {
  paths?: Record<string, Record<string, OperationSpec | OperationSpec['parameters']>>
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The server's OpenAPI documents, to read and to try with the session's rights. */
export default function Explorer() {
  const { client } = useConsole()
  const index = useLoaded((signal) => client.call<Index>('/openapi/v3', { signal }), [])
  const group = parseRoute(useHash()).query.get('group') ?? ''
  const groups = index.state === 'ready' ? Object.keys(index.value.paths).sort() : []
  const chosen = groups.includes(group)
    ? group
    : groups.find((each) => /^apis\/management\.[^/]+\/v/.test(each))
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>API explorer</h1>
          <p className="crumbs">
            <span>Every path of the server, called with your own rights.</span>
          </p>
        </div>
      </div>
      {index.state === 'loading' ? <Skeleton /> : null}
      {index.state === 'failed' ? <ErrorNote error={index.error} onRetry={index.reload} /> : null}
      {index.state === 'ready' ? (
        <>
          <div className="field">
            <label htmlFor="api-group">Group and version</label>
            <select
              id="api-group"
              className="input"
              value={chosen ?? groups[0]}
              onChange={(event) => replaceQuery({ group: event.target.value })}
            >
              {groups.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </div>
          <Group key={chosen ?? groups[0]} name={chosen ?? groups[0] ?? ''} />
        </>
      ) : null}
    </main>
  )
}

interface Found {
  path: string
  method: string
  spec: OperationSpec
}

function Group({ name }: { name: string }) {
  const { client } = useConsole()
  const document = useLoaded(
    (signal) => client.call<Document>(`/openapi/v3/${name}`, { signal }),
    [name],
  )
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed.toLowerCase()).split(/\s+/).filter(Boolean)
  const all = useMemo(
    () => (document.state === 'ready' ? operationsOf(document.value) : []),
    [document],
  )
  const found = all.filter(({ path, method, spec }) => {
    const text = `${method} ${path} ${spec.description ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (document.state === 'loading') return <Skeleton />
  if (document.state === 'failed')
    return <ErrorNote error={document.error} onRetry={document.reload} />
  return (
    <>
      <div className="tools">
        <div className="search">
          <input
            className="input"
            aria-label="Search operations"
            placeholder="Search: get secrets"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <span className="count numbers" role="status">
          {counted(found.length, 'operation')}
        </span>
      </div>
      {found.length === 0 ? <Empty title="No operation matches the search" /> : null}
      <div className="stack tight">
        {found.slice(0, 150).map((each) => (
          <Entry key={`${each.method} ${each.path}`} {...each} />
        ))}
      </div>
    </>
  )
}

function Entry({ path, method, spec }: Found) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="card operation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={`method ${method}`}>{method.toUpperCase()}</span>
        <code className="wrap">{path}</code>
      </summary>
      {isOpen ? <Operation path={path} method={method} spec={spec} /> : null}
    </details>
  )
}

/** Operations with the parameters of their paths. */
function operationsOf({ paths = {} }: Document): Found[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    // Sound: the member is a list of parameters.
    const shared = (item['parameters'] ?? []) as NonNullable<OperationSpec['parameters']>
    return methods.flatMap((method) => {
      const spec = item[method] as OperationSpec | undefined
      if (spec === undefined) return []
      return [
        { path, method, spec: { ...spec, parameters: [...shared, ...(spec.parameters ?? [])] } },
      ]
    })
  })
}
