import { useState } from 'react'
import type { Rights } from '../api/rights.ts'
import type { Kind, Place } from '../api/kinds.ts'
import { mapOf, text, type ApiObject } from '../api/objects.ts'
import { Icon } from '../parts/Icon.tsx'
import { counted } from '../parts/words.ts'

interface SecretValuesProps {
  kind: Kind
  place: Place
  object: ApiObject
  rights: Rights
}

/** Keys of a secret. A value is decoded and shown only on request, and hidden again when the page closes. */
export function SecretValues({ object }: SecretValuesProps) {
  const data = { ...mapOf(object, 'data'), ...mapOf(object, 'spec', 'data') }
  const keys = Object.keys(data)
  return (
    <section className="card">
      <header>
        <h2>Values</h2>
        <span className="hint numbers">{counted(keys.length, 'key')}</span>
      </header>
      <div className="inside stack tight">
        {keys.length === 0 ? <p className="hint">This secret is empty.</p> : null}
        {keys.map((key) => (
          <SecretValue key={key} name={key} encoded={text(data, key)} />
        ))}
      </div>
    </section>
  )
}

function SecretValue({ name, encoded }: { name: string; encoded: string }) {
  const [isShown, setShown] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const value = decoded(encoded)
  const copy = () =>
    void navigator.clipboard.writeText(value.text).then(
      () => setCopied(true),
      () => setShown(true),
    )
  return (
    <div className="stack tight">
      <div className="buttons">
        <code className="wrap">{name}</code>
        <span className="hint numbers">{counted(value.bytes, 'byte')}</span>
        <button
          type="button"
          className="button"
          aria-expanded={isShown}
          aria-label={`${isShown ? 'Hide' : 'Reveal'} ${name}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Reveal'}
        </button>
        <button type="button" className="button" aria-label={`Copy ${name}`} onClick={copy}>
          <Icon name={isCopied ? 'good' : 'copy'} /> {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      {isShown ? (
        <pre className="chip" style={{ whiteSpace: 'pre-wrap' }}>
          {value.text}
        </pre>
      ) : null}
    </div>
  )
}

/** The value as text; binary data is shown in base64. */
function decoded(encoded: string): { text: string; bytes: number } {
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      bytes: bytes.length,
    }
  } catch {
    return { text: encoded, bytes: Math.floor((encoded.replace(/=+$/, '').length * 3) / 4) }
  }
}
