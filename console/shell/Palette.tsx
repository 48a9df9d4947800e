import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Dialog,
} from '@ariakit/react'
import { useDeferredValue, useMemo, useState } from 'react'
import { kindId, kindPath, type Kind } from '../api/kinds.ts'
import { useLoaded } from '../parts/loading.ts'
import { tableShape } from '../watch/shapes.ts'
import { useConsole } from './console.ts'
import { kindTitle } from './kindGroups.ts'
import { useListable } from './rights.ts'
import { goTo, kindHref, newHref, objectHref } from './route.ts'
import { usePages } from './Sidebar.tsx'

interface Choice {
  text: string
  more: string
  to: string
}

const shown = 12

/** Input to go anywhere: pages, kinds by short name, objects by kind and name (`pods web`). */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const groups = useChoices(useDeferredValue(typed.trim().toLowerCase()))
  const choose = (to: string) => {
    onClose()
    goTo(to)
  }
  const isEmpty = groups.every(([, choices]) => choices.length === 0)
  return (
    <Dialog
      open
      onClose={onClose}
      className="dialog palette"
      aria-label="Go to"
      backdrop={<div className="backdrop" />}
    >
      <ComboboxProvider setValue={setTyped} open>
        <Combobox
          className="input"
          autoSelect="always"
          aria-label="Page, kind or object"
          placeholder="Page, kind, or kind and name: “secrets db”"
          autoFocus
        />
        <ComboboxList alwaysVisible>
          {groups.map(([title, choices]) =>
            choices.length === 0 ? null : (
              <ComboboxGroup key={title}>
                <ComboboxGroupLabel className="group">{title}</ComboboxGroupLabel>
                {choices.map(({ text, more, to }) => (
                  <ComboboxItem
                    key={to}
                    className="menu-item"
                    onClick={() => choose(to)}
                    focusOnHover
                  >
                    <span>{text}</span>
                    {more === '' ? null : <span>{more}</span>}
                  </ComboboxItem>
                ))}
              </ComboboxGroup>
            ),
          )}
          {isEmpty ? <p className="group">Nothing found</p> : null}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  )
}

function useChoices(typed: string): [string, Choice[]][] {
  const listable = useListable()
  const pages = usePages(listable)
  const [first = '', ...rest] = typed.split(/\s+/)
  const kind = listable.find((each) => isNamed(each, first))
  const objects = useObjectChoices(rest.length > 0 ? kind : undefined, rest.join(' '))
  return useMemo(() => {
    if (rest.length > 0 && kind !== undefined) return [[kindTitle(kind), objects]]
    const foundPages = pages
      .filter(({ text }) => text.toLowerCase().includes(typed))
      .map(({ text, to }) => ({ text, more: '', to }))
    const ranked = listable
      .filter((each) => kindTitle(each).toLowerCase().includes(typed) || isNamed(each, typed))
      .sort((a, b) => Number(isNamed(b, typed)) - Number(isNamed(a, typed)))
    const kinds = ranked.slice(0, shown).map((each) => ({
      text: kindTitle(each),
      more: each.shortNames[0] ?? each.group,
      to: kindHref(each),
    }))
    const creatable = typed === '' ? [] : ranked.filter(({ verbs }) => verbs.has('create'))
    const creations = creatable
      .slice(0, 3)
      .map((each) => ({ text: `Create ${each.kind}`, more: kindId(each), to: newHref(each) }))
    return [
      ['Pages', foundPages],
      ['Kinds', kinds],
      ['Create', creations],
    ]
  }, [typed, pages, listable, kind, objects])
}

function isNamed({ plural, kind, shortNames }: Kind, word: string): boolean {
  return plural === word || kind.toLowerCase() === word || shortNames.includes(word)
}

/** Objects of a kind by a part of their name: loaded once per kind, since they are only suggestions. */
function useObjectChoices(kind: Kind | undefined, part: string): Choice[] {
  const { client, namespace } = useConsole()
  const loaded = useLoaded(
    async (signal) => {
      if (kind === undefined) return []
      const path = kindPath(kind, { namespace })
      const { accept } = tableShape
      const body = await client.call(path, { accept, query: { limit: '500' }, signal })
      return tableShape.pageOf(body).items
    },
    [kind === undefined ? '' : kindId(kind), namespace],
  )
  const rows = loaded.state === 'ready' ? loaded.value : []
  if (kind === undefined) return []
  return rows
    .map(({ object }) => object.metadata)
    .filter(({ name }) => name.includes(part))
    .slice(0, shown)
    .map((metadata) => ({
      text: metadata.name,
      more: metadata.namespace ?? '',
      to: objectHref(kind, metadata),
    }))
}
