import { useEffect, useRef } from 'react'
import { openEditor, type EditorOptions, type OpenedEditor } from './codeMirror.ts'
import type { TextProblem } from './yaml.ts'

interface YamlEditorProps extends Pick<EditorOptions, 'label' | 'complete' | 'explain'> {
  value: string
  onChange?: (text: string) => void
  problems?: readonly TextProblem[]
}

const none: readonly TextProblem[] = []

/**
 * Editor of a YAML document; Tab indents, Escape followed by Tab leaves it. Read-only without
 * `onChange`.
 */
export function YamlEditor(props: YamlEditorProps) {
  const { value, onChange, label, problems = none, complete, explain } = props
  const place = useRef<HTMLDivElement>(null)
  const opened = useRef<OpenedEditor>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  useEffect(() => {
    if (place.current === null) return
    const editor = openEditor(place.current, {
      text: value,
      label,
      isReadOnly: onChange === undefined,
      onChange: (text) => changed.current?.(text),
      ...(complete === undefined ? {} : { complete }),
      ...(explain === undefined ? {} : { explain }),
    })
    opened.current = editor
    return () => editor.close()
    // Later values are set below.
  }, [label, complete, explain])
  useEffect(() => {
    if (opened.current?.text() !== value) opened.current?.setText(value)
  }, [value])
  useEffect(() => opened.current?.showProblems(problems), [problems])
  return <div className="editor" ref={place} />
}
