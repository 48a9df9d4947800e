import { useState } from 'react'
import { ErrorNote, errorText, Note } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'

export interface OperationSpec {
  description?: string
  parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
  }[]
  requestBody?: { content?: Record<string, unknown> }
}

interface OperationProps {
  path: string
  method: string
  spec: OperationSpec
}

interface Answer {
  code: number
  ms: number
  body: string
}

/** Maximum length of a response shown; longer ones are cut. */
const maxShown = 200_000

/** Parameters of an operation, and the response. */
export function Operation({ path, method, spec }: OperationProps) {
  const { client } = useConsole()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const types = Object.keys(spec.requestBody?.content ?? {})
  const parameters = spec.parameters ?? []
  const missing = parameters.filter(
    ({ name, required = false }) => required && (values[name] ?? '') === '',
  )
  const call = async () => {
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    )
    const query = Object.fromEntries(
      parameters
        .filter(({ name, in: where }) => where === 'query' && (values[name] ?? '') !== '')
        .map(({ name }) => [name, values[name] ?? '']),
    )
    const begun = performance.now()
    try {
      const contentType = types.includes('application/json') ? 'application/json' : types[0]
      const response = await client.response(filled, {
        method: method.toUpperCase(),
        query,
        ...(body === '' ? {} : { body }),
        ...(contentType === undefined ? {} : { contentType }),
      })
      const text = await response.text()
      const ms = performance.now() - begun
      setAnswer({ code: response.status, ms, body: text.slice(0, maxShown) })
      setError(undefined)
    } catch (failure) {
      setAnswer(undefined)
      setError(failure)
    }
  }
  return (
    <div className="inside stack">
      <p className="wrap">{spec.description}</p>
      <Parameters
        parameters={parameters}
        values={values}
        onChange={setValues}
        id={`${method} ${path}`}
      />
      {types.length === 0 ? null : (
        <label className="field">
          <span className="label">Body ({types[0]})</span>
          <textarea
            className="input"
            rows={6}
            spellCheck={false}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        </label>
      )}
      {method === 'get' ? null : (
        <Note tone="warn">This is sent to the real server. Set dryRun to All to only try it.</Note>
      )}
      <div className="buttons">
        <button
          type="button"
          className="button main"
          disabled={missing.length > 0}
          onClick={() => void call()}
        >
          Send
        </button>
        {missing.length === 0 ? null : (
          <span className="hint">Needs {missing.map(({ name }) => name).join(', ')}.</span>
        )}
      </div>
      {error === undefined ? null : <ErrorNote error={error} />}
      {answer === undefined ? null : (
        <>
          <p className="hint numbers" role="status">
            {answer.code} in {answer.ms.toFixed(0)} ms
          </p>
          <pre className="diff answer" tabIndex={0} aria-label="Response">
            {pretty(answer.body)}
          </pre>
        </>
      )}
    </div>
  )
}

interface ParametersProps {
  parameters: NonNullable<OperationSpec['parameters']>
  values: Readonly<Record<string, string>>
  onChange: (values: Readonly<Record<string, string>>) => void
  id: string
}

function Parameters({ parameters, values, onChange, id }: ParametersProps) {
  if (parameters.length === 0) return null
  return (
    <div className="tiles">
      {parameters.map(({ name, required = false, description = '' }) => (
        <div key={name} className="field">
          <label htmlFor={`${id} ${name}`}>
            {name}
            {required ? ' (required)' : ''}
          </label>
          <input
            id={`${id} ${name}`}
            className="input"
            title={description}
            value={values[name] ?? ''}
            onChange={(event) => onChange({ ...values, [name]: event.target.value })}
          />
        </div>
      ))}
    </div>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch (error) {
    return text === '' ? errorText(error) : text
  }
}
