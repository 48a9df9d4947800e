import { useState } from 'react'
import type { Rights } from '../api/rights.ts'
import type { ApiClient } from '../api/client.ts'
import { kindPath, type Kind, type Place } from '../api/kinds.ts'
import { fieldSelector } from '../api/fieldSelector.ts'
import type { ApiObject } from '../api/objects.ts'
import { DiffView } from '../editor/DiffView.tsx'
import { yamlOf } from '../editor/yaml.ts'
import { Age } from '../parts/Age.tsx'
import { useLoaded } from '../parts/loading.ts'
import { Empty, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { StatusError } from '../watch/statusError.ts'
import { SaveDialog } from './SaveDialog.tsx'

/** Maximum number of versions to look up. */
const maxVersions = 30

interface HistoryProps {
  kind: Kind
  place: Place
  object: ApiObject
  rights: Rights
}

/** Versions of an object that the server still keeps, with the changes of each. */
export default function History({ kind, place, object, rights }: HistoryProps) {
  const { client } = useConsole()
  const { name = '' } = place
  const mayList = kind.verbs.has('list') && rights.allow('list', kind, { name })
  const { resourceVersion } = object.metadata
  const versions = useLoaded(
    (signal) =>
      mayList ? versionsOf(client, { kind, place, object, signal }) : Promise.resolve([]),
    [resourceVersion, mayList],
  )
  const [restored, setRestored] = useState<ApiObject>()
  if (!mayList) return <Missing what={`list ${kind.plural} here`} />
  if (versions.state === 'loading') return <Skeleton />
  if (versions.state === 'failed')
    return <ErrorNote error={versions.error} onRetry={versions.reload} />
  const mayUpdate = kind.verbs.has('update') && rights.allow('update', kind, { name })
  const list = versions.value
  if (list.length < 2)
    return (
      <Empty title="No earlier version is kept">
        <p>The server keeps past revisions for some minutes; the object has not changed since.</p>
      </Empty>
    )
  return (
    <div className="stack">
      {list.slice(0, -1).map((version, at) => (
        <section key={version.metadata.resourceVersion} className="card">
          <header>
            <h2>
              Revision {version.metadata.resourceVersion}
              {at === 0 ? ' (current)' : ''}
            </h2>
            <span className="buttons">
              <LastWrite version={version} />
              {mayUpdate && list[at + 1] !== undefined ? (
                <button type="button" className="button" onClick={() => setRestored(list[at + 1])}>
                  Undo back to before
                </button>
              ) : null}
            </span>
          </header>
          <div className="inside">
            <DiffView before={comparable(list[at + 1])} after={comparable(version)} />
          </div>
        </section>
      ))}
      {restored === undefined ? null : (
        <SaveDialog
          {...{ kind, place }}
          before={object}
          after={onTopOf(restored, object)}
          onClose={() => setRestored(undefined)}
          onSaved={() => setRestored(undefined)}
        />
      )}
    </div>
  )
}

/** Writer of a version, according to its managed fields. */
function LastWrite({ version }: { version: ApiObject }) {
  const entries = [...(version.metadata.managedFields ?? [])]
  const last = entries.sort((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]
  if (last === undefined) return null
  return (
    <span className="hint">
      {last.manager}, <Age since={last.time} /> ago
    </span>
  )
}

function comparable(version: ApiObject | undefined): string {
  if (version === undefined) return ''
  const { resourceVersion: _, generation: __, ...metadata } = version.metadata
  return yamlOf({ ...version, metadata })
}

/** Earlier version as a change of the current one. */
function onTopOf(earlier: ApiObject, { metadata }: ApiObject): ApiObject {
  const { resourceVersion } = metadata
  const { managedFields: _, ...kept } = earlier.metadata
  return {
    ...earlier,
    metadata: { ...kept, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  }
}

interface Looked {
  kind: Kind
  place: Place
  object: ApiObject
  signal: AbortSignal
}

/**
 * Versions of an object, newest first. A list at the revision before a version contains the previous version, as long
 * as the server keeps that revision. Source: Kubernetes API concepts, "resourceVersionMatch".
 */
async function versionsOf(client: ApiClient, looked: Looked): Promise<ApiObject[]> {
  const { kind, place, object, signal } = looked
  const path = kindPath(kind, { namespace: place.namespace })
  const versions = [object]
  while (versions.length < maxVersions) {
    const before = Number(versions.at(-1)?.metadata.resourceVersion) - 1
    if (!(before > 0)) break
    const query = {
      fieldSelector: fieldSelector('metadata.name', place.name ?? ''),
      resourceVersion: String(before),
      resourceVersionMatch: 'Exact',
    }
    try {
      const { items = [] } = await client.call<{ items?: ApiObject[] }>(path, { query, signal })
      const [found] = items
      if (found === undefined || found.metadata.uid !== object.metadata.uid) break
      // Items of lists have no kind.
      versions.push({ ...found, apiVersion: object.apiVersion ?? '', kind: kind.kind })
    } catch (error) {
      if (error instanceof StatusError && error.code === 410) break
      throw error
    }
  }
  return versions
}
