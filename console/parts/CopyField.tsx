import { useId, useState } from 'react'
import { Icon } from './Icon.tsx'

/** Value to be copied, such as a new key. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="buttons">
        <input
          id={id}
          className="input mono"
          value={value}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" className="button" onClick={copy}>
          <Icon name={isCopied ? 'good' : 'copy'} /> {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
    </div>
  )
}
