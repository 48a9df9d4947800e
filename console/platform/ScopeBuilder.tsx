import { useId, type ReactNode } from 'react'
import { platformKind, type Kind } from '../api/kinds.ts'
import { Icon } from '../parts/Icon.tsx'
import { Note } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { useObjects } from '../shell/feeds.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import {
  entryTypes,
  isInProject,
  newEntry,
  ruleVerbs,
  scopeOf,
  type EntryType,
  type Reach,
  type ScopeChoice,
  type ScopeEntry,
} from './scopeEntries.ts'
import { scopeWords } from './scopeWords.ts'

const reaches: readonly (readonly [Reach, string])[] = [
  ['everything', 'Everything that I may do'],
  ['read', 'Only read'],
  ['chosen', 'Only what I choose'],
]

interface ScopeBuilderProps {
  choice: ScopeChoice
  onChange: (choice: ScopeChoice) => void
}

/** Chooses the scope of a credential, and describes the rights that it allows. */
export function ScopeBuilder({ choice, onChange }: ScopeBuilderProps) {
  const { reach, entries } = choice
  const changed = (at: number, entry: ScopeEntry) =>
    onChange({ ...choice, entries: entries.with(at, entry) })
  return (
    <>
      <fieldset className="plain-fieldset">
        <legend className="label">Allowed</legend>
        {reaches.map(([each, words]) => (
          <label key={each} className="buttons">
            <input
              type="radio"
              name="reach"
              checked={reach === each}
              onChange={() => onChange({ ...choice, reach: each })}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {reach === 'chosen' ? (
        <div className="stack tight">
          {entries.map((entry, at) => (
            <Entry
              key={at}
              entry={entry}
              number={at + 1}
              onChange={(next) => changed(at, next)}
              onRemove={() => onChange({ ...choice, entries: entries.toSpliced(at, 1) })}
            />
          ))}
          <AddEntry
            onAdd={(type) => onChange({ ...choice, entries: [...entries, newEntry(type)] })}
          />
        </div>
      ) : null}
      <Note>
        <strong>It allows:</strong>
        <ul>
          {wordsOf(choice).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Note>
    </>
  )
}

/** Empty scopes are not offered, since they would not limit anything. */
function wordsOf(choice: ScopeChoice): string[] {
  const isEmpty = choice.reach === 'chosen' && choice.entries.length === 0
  return isEmpty ? ['Nothing is chosen yet.'] : scopeWords(scopeOf(choice))
}

function AddEntry({ onAdd }: { onAdd: (type: EntryType) => void }) {
  return (
    <div className="buttons" role="group" aria-label="Add to what it allows">
      {Object.entries(entryTypes).map(([type, title]) => (
        <button
          key={type}
          type="button"
          className="button"
          // Sound: the keys of the map.
          onClick={() => onAdd(type as EntryType)}
        >
          <Icon name="add" /> {title}
        </button>
      ))}
    </div>
  )
}

interface EntryProps {
  entry: ScopeEntry
  number: number
  onChange: (entry: ScopeEntry) => void
  onRemove: () => void
}

function Entry({ entry, number, onChange, onRemove }: EntryProps) {
  const title = entryTypes[entry.type]
  return (
    <fieldset className="card scope-entry">
      <legend className="visually-hidden">
        {title} {number}
      </legend>
      <div className="scope-fields">
        {entry.type === 'rule' ? (
          <RuleFields {...{ entry, onChange }} />
        ) : (
          <PlaceFields {...{ entry, onChange }} title={title} />
        )}
      </div>
      <button
        type="button"
        className="button quiet"
        aria-label={`Remove ${title.toLowerCase()} ${number}`}
        onClick={onRemove}
      >
        Remove
      </button>
    </fieldset>
  )
}

type FieldsProps = Pick<EntryProps, 'entry' | 'onChange'>

const placeKinds: Readonly<Record<string, string>> = {
  project: 'projects',
  virtualCluster: 'virtualclusterinstances',
  space: 'spaceinstances',
  cluster: 'clusters',
}

function PlaceFields({ entry, onChange, title }: FieldsProps & { title: string }) {
  const { kinds, me } = useConsole()
  const { type, project, name } = entry
  const isInside = isInProject(type)
  const namespace = isInside ? `${me.projectNamespacePrefix ?? ''}${project}` : ''
  const projects = useNames(platformKind(kinds, 'projects'), '')
  const kind = platformKind(kinds, placeKinds[type] ?? '')
  const names = useNames(isInside && project === '' ? undefined : kind, namespace)
  return (
    <>
      {isInside ? (
        <NameField
          label="Project"
          value={project}
          names={projects}
          onChange={(next) => onChange({ ...entry, project: next })}
        />
      ) : null}
      <NameField
        label={title}
        value={name}
        names={names}
        hint={type === 'role' ? 'Name of a role of the platform.' : '* for all'}
        onChange={(next) => onChange({ ...entry, name: next })}
      />
    </>
  )
}

/** Names of objects that the user may list. */
function useNames(kind: Kind | undefined, namespace: string): string[] {
  const rights = useKnownRights(namespace)
  const mayList = kind !== undefined && rights?.allow('list', kind) === true
  const { items } = useObjects(mayList ? kind : undefined, { namespace })
  return items.map(({ metadata }) => metadata.name)
}

interface NameFieldProps {
  label: string
  value: string
  names: readonly string[]
  hint?: string
  onChange: (value: string) => void
}

function NameField({ label, value, names, hint = '', onChange }: NameFieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint}>
      <input
        id={id}
        className="input"
        list={`${id}-names`}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-names`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Labelled>
  )
}

interface LabelledProps {
  id: string
  label: string
  hint?: string
  children: ReactNode
}

function Labelled({ id, label, hint = '', children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {hint === '' ? null : <span className="hint">({hint})</span>}
      </label>
      {children}
    </div>
  )
}

function RuleFields({ entry, onChange }: FieldsProps) {
  const { kinds } = useConsole()
  const id = useId()
  const { verbs, resource, namespaces } = entry
  const toggled = (verb: string) =>
    ruleVerbs.filter((each) => (each === verb ? !verbs.includes(each) : verbs.includes(each)))
  const resources = new Map(kinds.map((kind) => [`${kind.group}/${kind.plural}`, kind]))
  return (
    <>
      <div className="field" role="group" aria-labelledby={`${id}-verbs`}>
        <span id={`${id}-verbs`} className="label">
          Verbs{' '}
          {verbs.length === 0 ? <span className="hint">(none chosen: every verb)</span> : null}
        </span>
        <span className="buttons">
          {ruleVerbs.map((verb) => (
            <label key={verb} className="buttons">
              <input
                type="checkbox"
                checked={verbs.includes(verb)}
                onChange={() => onChange({ ...entry, verbs: toggled(verb) })}
              />
              {verb}
            </label>
          ))}
        </span>
      </div>
      <Labelled id={`${id}-kind`} label="Kind">
        <select
          id={`${id}-kind`}
          className="input"
          value={resource}
          onChange={(event) => onChange({ ...entry, resource: event.target.value })}
        >
          <option value="">Every kind</option>
          {[...resources].map(([key, kind]) => (
            <option key={key} value={key}>
              {kindTitle(kind)} {kind.group === '' ? '' : `(${kind.group})`}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled id={`${id}-namespaces`} label="Namespaces" hint="empty: every one">
        <input
          id={`${id}-namespaces`}
          className="input"
          value={namespaces}
          onChange={(event) => onChange({ ...entry, namespaces: event.target.value })}
        />
      </Labelled>
    </>
  )
}
