import { Icon } from '../parts/Icon.tsx'
import { useForm } from './formContext.ts'
import { isBelow, type FieldPath } from '../api/fieldPath.ts'

/**
 * Messages of the server about a field, or about a field below it that the form does not show. @param shown steps to
 * fields that it shows.
 */
export function useProblems(path: FieldPath, shown: readonly string[] = []): string[] {
  return useForm()
    .problems.filter((each) => isBelow(each.path, path))
    .filter((each) => {
      const next = each.path[path.length]
      return next === undefined || !shown.includes(next)
    })
    .map(({ message }) => message)
}

export function Problems({ id, texts }: { id: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div id={id} role="alert">
      <ul className="problems">
        {texts.map((text) => (
          <li key={text}>
            <Icon name="bad" /> {text}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function fieldId(path: FieldPath): string {
  return `field ${path.join('.')}`.replaceAll(' ', '-')
}
