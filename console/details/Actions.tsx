import { useState } from 'react'
import type { Rights } from '../api/rights.ts'
import { isPlatformKind, kindPath, type Kind, type Place } from '../api/kinds.ts'
import { text, type ApiObject } from '../api/objects.ts'
import { Icon } from '../parts/Icon.tsx'
import { Menu, type MenuEntry } from '../parts/Menu.tsx'
import { errorText } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { href } from '../shell/route.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { LabelDialog } from './LabelDialog.tsx'
import { ScaleDialog } from './ScaleDialog.tsx'

interface ActionsProps {
  kind: Kind
  place: Place
  object: ApiObject
  rights: Rights
}

type Open = 'delete' | 'labels' | 'scale' | undefined

/** Actions that the user may take on an object. */
export function Actions(props: ActionsProps) {
  const { kind, place, rights } = props
  const [open, setOpen] = useState<Open>()
  const { name = '' } = place
  const may = (verb: string, subresource = '') =>
    (subresource === '' ? kind.verbs : kind.subresources.get(subresource))?.has(verb) === true &&
    rights.allow(verb, kind, { name, subresource })
  const entry = (isThere: boolean, made: MenuEntry) => (isThere ? [made] : [])
  const entries = [
    ...entry(may('patch', 'scale'), { text: 'Scale …', onChoose: () => setOpen('scale') }),
    ...entry(may('patch'), { text: 'Edit labels …', onChoose: () => setOpen('labels') }),
    ...entry(may('delete'), {
      text: 'Delete …',
      isDanger: true,
      onChoose: () => setOpen('delete'),
    }),
  ]
  const close = () => setOpen(undefined)
  return (
    <div className="buttons">
      <InstanceActions {...props} mayConnect={may('create', 'kubeconfig')} />
      {entries.length === 0 ? null : (
        <Menu label={`Actions for ${name}`} entries={entries}>
          Actions <Icon name="more" />
        </Menu>
      )}
      {open === 'delete' ? <DeleteDialog {...props} onClose={close} /> : null}
      {open === 'labels' ? <LabelDialog {...props} onClose={close} /> : null}
      {open === 'scale' ? <ScaleDialog {...props} onClose={close} /> : null}
    </div>
  )
}

/** Ways to connect to a virtual cluster. */
function InstanceActions({ kind, place, mayConnect }: ActionsProps & { mayConnect: boolean }) {
  const { client } = useConsole()
  const say = useSay()
  if (!isPlatformKind(kind) || !mayConnect) return null
  const { name = '', namespace = '' } = place
  const download = async () => {
    try {
      const path = kindPath(kind, { ...place, subresource: 'kubeconfig' })
      const made = await client.call(path, { method: 'POST', body: { spec: {} } })
      save(`${name}.kubeconfig`, text(made, 'status', 'kubeConfig'))
      say('The kubeconfig contains a key that acts as you: keep it secret.')
    } catch (error) {
      say(errorText(error), 'bad')
    }
  }
  return (
    <>
      <button type="button" className="button" onClick={() => void download()}>
        <Icon name="down" /> Kubeconfig
      </button>
      <OpenPlane name={name} namespace={namespace} />
    </>
  )
}

function OpenPlane({ name, namespace }: { name: string; namespace: string }) {
  const prefix = useProjectPrefix()
  if (prefix === undefined || !namespace.startsWith(prefix)) return null
  const project = namespace.slice(prefix.length)
  const plane = `/kubernetes/project/${project}/virtualcluster/${name}`
  return (
    <a className="button" href={href([], {}, plane)}>
      <Icon name="cluster" /> Open
    </a>
  )
}

/** Prefix of project namespaces; undefined: not known. */
function useProjectPrefix(): string | undefined {
  return useConsole().me.projectNamespacePrefix
}

function save(fileName: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/yaml' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
