import type { ApiObject, ManagedFields } from '../api/objects.ts'
import { Age } from '../parts/Age.tsx'
import { TableHead } from '../parts/TableHead.tsx'
import { counted } from '../parts/words.ts'
import { fieldPaths } from './fieldPaths.ts'

const maxPaths = 40

/** Managers of an object's fields, collapsed: the fields that each program set, and the time. */
export function FieldOwners({ object }: { object: ApiObject }) {
  const entries = object.metadata.managedFields ?? []
  if (entries.length === 0) return null
  return (
    <details className="card">
      <summary className="inside">
        Who set which field ({counted(entries.length, 'manager')})
      </summary>
      <div className="inside scroll-x" tabIndex={0} role="region" aria-label="Who set which field">
        <table className="plain-table">
          <TableHead names={['Manager', 'Fields', 'Last']} />
          <tbody>
            {entries.map((entry) => (
              <tr key={`${entry.manager} ${entry.operation} ${entry.subresource} ${entry.time}`}>
                <td>
                  <strong>{entry.manager}</strong>
                  <br />
                  <span className="hint">{manner(entry)}</span>
                </td>
                <td>
                  <Paths paths={fieldPaths(entry.fieldsV1 ?? {})} />
                </td>
                <td className="short">
                  <Age since={entry.time} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function manner({ operation, subresource = '' }: ManagedFields): string {
  const how = operation === 'Apply' ? 'by apply' : 'by update'
  return subresource === '' ? how : `${how} of ${subresource}`
}

function Paths({ paths }: { paths: readonly string[] }) {
  const rest = paths.length - maxPaths
  return (
    <span className="chips">
      {paths.slice(0, maxPaths).map((path) => (
        <span key={path} className="chip">
          {path}
        </span>
      ))}
      {rest > 0 ? <span className="hint">and {rest.toLocaleString('en')} more</span> : null}
    </span>
  )
}
