import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react'
import { useMemo, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { tableShape } from '../watch/shapes.ts'
import { useConsole } from './console.ts'
import { useFeed } from './feeds.ts'

const all = 'All namespaces'

/** Namespace of tables: chosen from the namespaces that the user may list, or typed. */
export function NamespacePicker() {
  const { namespace, chooseNamespace } = useConsole()
  const [typed, setTyped] = useState(namespace)
  const names = useNamespaces()
  const found = useMemo(
    () => names.filter((name) => name.includes(typed === namespace ? '' : typed)).slice(0, 200),
    [names, typed, namespace],
  )
  const choose = (value: string) => {
    const chosen = value === all ? '' : value.trim()
    setTyped(chosen)
    chooseNamespace(chosen)
  }
  return (
    <ComboboxProvider
      value={typed}
      setValue={setTyped}
      setSelectedValue={(value) => choose(String(value))}
      selectedValue={namespace || all}
    >
      <div className="namespace">
        <Icon name="box" />
        <Combobox
          className="input namespace-input"
          placeholder={all}
          aria-label="Namespace"
          autoSelect={false}
          showOnClick
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => choose(typed)}
        />
      </div>
      <ComboboxPopover className="menu suggestions" gutter={4} portal unmountOnHide>
        {[all, ...found].map((name) => (
          <ComboboxItem key={name} value={name} className="menu-item" setValueOnClick={false} />
        ))}
      </ComboboxPopover>
    </ComboboxProvider>
  )
}

/** Names of the namespaces that the user may list; none without the right. */
function useNamespaces(): readonly string[] {
  const { kinds, everywhere } = useConsole()
  const kind = kinds.find(({ group, plural }) => group === '' && plural === 'namespaces')
  const mayList = kind !== undefined && everywhere.allow('list', kind)
  const { feed, version } = useFeed({ shape: tableShape, kind: mayList ? kind : undefined })
  return useMemo(
    () => [...(feed?.items.values() ?? [])].map(({ object }) => object.metadata.name).sort(),
    [feed, version],
  )
}
