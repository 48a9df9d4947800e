import { useState } from 'react'
import { stringify } from 'yaml'
import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { mapOf, text, type ApiObject } from '../api/objects.ts'
import { DiffView } from '../editor/DiffView.tsx'
import { problemsOf, type TextProblem } from '../editor/yaml.ts'
import { YamlEditor } from '../editor/YamlEditor.tsx'
import { Modal } from '../parts/Confirm.tsx'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Missing, Note, Skeleton } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'

/** The platform's configuration as its YAML document, validated by the server before it takes effect. */
export default function ConfigEditor() {
  const { kinds, everywhere } = useConsole()
  const kind = platformKind(kinds, 'configs')
  const mayRead = kind !== undefined && everywhere.allow('list', kind)
  return (
    <main className="content">
      {kind !== undefined && mayRead ? (
        <Loader kind={kind} />
      ) : (
        <>
          <h1>Configuration</h1>
          <Missing what="read the platform's configuration" />
        </>
      )}
    </main>
  )
}

function Loader({ kind }: { kind: Kind }) {
  const { client } = useConsole()
  const config = useLoaded(
    (signal) => client.call<ApiObject>(kindPath(kind, { name: 'config' }), { signal }),
    [],
  )
  if (config.state === 'loading') return <Skeleton />
  if (config.state === 'failed') return <ErrorNote error={config.error} onRetry={config.reload} />
  const { resourceVersion = '' } = config.value.metadata
  return (
    <Editor
      key={`${resourceVersion} ${documentOf(config.value)}`}
      kind={kind}
      config={config.value}
      onSaved={config.reload}
    />
  )
}

/** The stored document with its comments; without one, the settings in effect. */
function documentOf(config: ApiObject): string {
  const raw = text(config, 'spec', 'raw')
  if (raw === '') return stringify(mapOf(config, 'status'))
  const bytes = Uint8Array.from(atob(raw), (char) => char.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}

function encoded(document: string): string {
  const bytes = new TextEncoder().encode(document)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

interface EditorProps {
  kind: Kind
  config: ApiObject
  onSaved: () => void
}

function Editor({ kind, config, onSaved }: EditorProps) {
  const { client, everywhere } = useConsole()
  const say = useSay()
  const [before] = useState(() => documentOf(config))
  const [document, setDocument] = useState(before)
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  const [error, setError] = useState<unknown>()
  const [isReviewed, setReviewed] = useState(false)
  const mayChange = everywhere.allow('create', kind)
  const send = (query: Record<string, string>) =>
    client.call<ApiObject>(kindPath(kind), {
      method: 'POST',
      query: { fieldValidation: 'Strict', ...query },
      body: { metadata: { name: 'config' }, spec: { raw: encoded(document) } },
      onWarning: (warning) => say(warning, 'warn'),
    })
  const review = async () => {
    try {
      await send({ dryRun: 'All' })
      setError(undefined)
      setProblems([])
      setReviewed(true)
    } catch (failure) {
      setError(failure)
      // Fields of causes are relative to `spec.raw`.
      const inDocument = (field: string) => field.replace(/^(spec\.raw|status)\.?/, '')
      setProblems(problemsOf(failure, document, inDocument))
    }
  }
  const save = async () => {
    try {
      await send({})
      say('The configuration is stored and in effect.')
      setReviewed(false)
      onSaved()
    } catch (failure) {
      setReviewed(false)
      setError(failure)
    }
  }
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Configuration</h1>
          <p className="crumbs">
            <span>It takes effect as soon as it is stored. Secrets are shown as ***.</span>
          </p>
        </div>
        {mayChange ? (
          <button
            type="button"
            className="button main"
            disabled={document === before}
            onClick={() => void review()}
          >
            Check and review
          </button>
        ) : null}
      </div>
      {mayChange ? null : <Note>Your account may read the configuration, but not change it.</Note>}
      {error === undefined ? null : <ErrorNote error={error} />}
      <YamlEditor
        label="Configuration of the platform"
        value={document}
        problems={problems}
        {...(mayChange ? { onChange: setDocument } : {})}
      />
      {isReviewed ? (
        <Modal
          title="Put this configuration into effect?"
          onClose={() => setReviewed(false)}
          closeText="Back to the editor"
          isWide
          footer={
            <button type="button" className="button main" onClick={() => void save()}>
              Save
            </button>
          }
        >
          <p className="hint">The server has checked it and found no error.</p>
          <DiffView before={before} after={document} />
        </Modal>
      ) : null}
    </>
  )
}
