import { useEffect, useState } from 'react'
import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { listOf, member, text } from '../api/objects.ts'
import { parseYaml, problemsOf, yamlOf, type TextProblem } from '../editor/yaml.ts'
import { DiffView } from '../editor/DiffView.tsx'
import { YamlEditor } from '../editor/YamlEditor.tsx'
import { useLoaded } from '../parts/loading.ts'
import { Badge, ErrorNote, Missing, Note } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { StatusError } from '../watch/statusError.ts'

const firstConfig = `sync:
  toHost:
    endpoints:
      enabled: true
      patches:
        - path: metadata.annotations[*]
          expression: '"host-" + value'
`
const firstObject = `apiVersion: v1
kind: Endpoints
metadata:
  name: database
  namespace: shop
  annotations:
    tier: gold
subsets:
  - addresses:
      - ip: 10.0.0.7
    ports:
      - port: 5432
`
/** Pause after the last key before the request. */
const pauseMs = 400

/** Page to try a sync configuration: shows the effect of each patch and the host object as you type. */
export default function SyncPlayground() {
  const { kinds, everywhere } = useConsole()
  const kind = platformKind(kinds, 'virtualclustersyncexplanations')
  const may = kind !== undefined && everywhere.allow('create', kind)
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Sync playground</h1>
          <p className="crumbs">
            <span>
              The server explains what a virtual cluster would sync to its host. Nothing is stored.
            </span>
          </p>
        </div>
      </div>
      {kind !== undefined && may ? (
        <Playground kind={kind} />
      ) : (
        <Missing what="try sync configurations" />
      )}
    </main>
  )
}

function Playground({ kind }: { kind: Kind }) {
  const { client } = useConsole()
  const [config, setConfig] = useState(firstConfig)
  const [object, setObject] = useState(firstObject)
  const asked = usePaused({ config, object })
  const parsed = parseYaml(asked.object)
  const given = 'object' in parsed ? parsed.object : undefined
  const result = useLoaded(
    async (signal) => {
      if (given === undefined) return undefined
      const body = { spec: { config: asked.config, object: given } }
      return client.call(kindPath(kind), { method: 'POST', body, signal })
    },
    [asked],
  )
  const failure = result.state === 'failed' ? result.error : undefined
  return (
    <div className="playground">
      <section className="stack tight">
        <h2>Configuration</h2>
        <YamlEditor
          label="Configuration of the virtual cluster"
          value={config}
          onChange={setConfig}
          problems={problemsIn(failure, asked.config, 'config')}
        />
        <h2>Object of the virtual cluster</h2>
        <YamlEditor
          label="Object of the virtual cluster"
          value={object}
          onChange={setObject}
          problems={
            'problems' in parsed ? parsed.problems : problemsIn(failure, asked.object, 'object')
          }
        />
      </section>
      <section className="stack tight" aria-label="Result" aria-live="polite">
        <h2>Result</h2>
        {'problems' in parsed ? (
          <Note tone="bad">{parsed.problems[0]?.message ?? 'The object is not valid.'}</Note>
        ) : null}
        {failure === undefined ? null : <ErrorNote error={failure} />}
        {result.state === 'ready' && result.value !== undefined ? (
          <Explanation status={member(result.value, 'status')} object={given} />
        ) : null}
      </section>
    </div>
  )
}

/** The value after it has not changed for a moment. */
function usePaused<T extends Record<string, string>>(value: T): T {
  const [paused, setPaused] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
    // The key represents the value.
  }, [key])
  return paused
}

/** Causes about one of the two documents, without a position in it. */
function problemsIn(error: unknown, whole: string, field: string): TextProblem[] {
  const isAbout = (cause: { field?: string }) => cause.field?.startsWith(`spec.${field}`) === true
  if (!(error instanceof StatusError) || error.details.causes?.some(isAbout) !== true) return []
  return problemsOf(error, whole, (full) => full.slice(`spec.${field}`.length)).filter((_, at) => {
    const cause = error.details.causes?.[at]
    return cause !== undefined && isAbout(cause)
  })
}

function Explanation({ status, object }: { status: unknown; object: unknown }) {
  const notSynced = text(status, 'notSynced')
  const error = text(status, 'error')
  const host = member(status, 'host')
  const patches = listOf(status, 'patches')
  return (
    <>
      {notSynced === '' ? null : <Note tone="warn">Not synced: {notSynced}</Note>}
      {error === '' ? null : <Note tone="bad">{error}</Note>}
      {patches.map((patch, at) => (
        <section key={at} className="card">
          <header>
            <code className="wrap">{text(patch, 'path')}</code>
            <Badge tone={listOf(patch, 'matches').length > 0 ? 'good' : 'warn'}>
              {listOf(patch, 'matches').length} matched
            </Badge>
          </header>
          <div className="inside stack tight">
            <code className="wrap hint">{text(patch, 'by')}</code>
            {listOf(patch, 'matches').map((match, index) => (
              <p key={index} className="wrap">
                <code>{text(match, 'path')}</code>: <code>{shown(member(match, 'input'))}</code> →{' '}
                <code>{shown(member(match, 'result'))}</code>
              </p>
            ))}
          </div>
        </section>
      ))}
      {host === undefined ? null : (
        <>
          <h3>Object of the host, beside that of the virtual cluster</h3>
          <DiffView before={yamlOf(object)} after={yamlOf(host)} />
        </>
      )}
    </>
  )
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : JSON.stringify(value)
}
