import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorView, Tooltip } from '@codemirror/view'
import { useMemo } from 'react'
import type { ApiClient } from '../api/client.ts'
import type { Kind } from '../api/kinds.ts'
import { typeText } from '../schema/schemaText.ts'
import { SchemaTree } from '../schema/schemaTree.ts'
import { useConsole } from '../shell/console.ts'

interface Help {
  complete: (context: CompletionContext) => Promise<CompletionResult | null>
  explain: (view: EditorView, at: number) => Promise<Tooltip | null>
}

/** Completion and explanations of fields from the server's OpenAPI document, which is loaded on first use. */
export function useSchemaHelp(kind: Kind): Help {
  const { client } = useConsole()
  return useMemo(() => schemaHelp(client, kind), [client, kind])
}

function schemaHelp(client: ApiClient, kind: Kind): Help {
  let loading: Promise<SchemaTree | undefined> | undefined
  // Without the document the editor works, but without help.
  const tree = () => (loading ??= SchemaTree.load(client, kind).catch(() => undefined))
  return {
    complete: async (context) => {
      const word = context.matchBefore(/[\w-]*/)
      if (word === null || (word.from === word.to && !context.explicit)) return null
      const line = context.state.doc.lineAt(context.pos)
      if (!/^[\s-]*[\w-]*$/.test(line.text.slice(0, context.pos - line.from))) return null
      const path = pathAt(context.state.doc.toString(), context.pos)
      const fields = (await tree())?.fieldsAt(path.slice(0, -1)) ?? []
      const options = fields.map(([label, schema]) => ({
        label,
        type: 'property',
        detail: typeText(schema),
        info: schema.description ?? '',
        apply: `${label}: `,
      }))
      return { from: word.from, options }
    },
    explain: async (view, at) => {
      const path = pathAt(view.state.doc.toString(), at)
      const schema = (await tree())?.at(path)
      if (schema?.description === undefined) return null
      const { description } = schema
      return {
        pos: at,
        create: () => {
          const dom = document.createElement('div')
          dom.className = 'explained'
          dom.textContent = `${path.join('.')}  ${typeText(schema)}\n\n${description}`
          return { dom }
        },
      }
    },
  }
}

/**
 * Path of the field at a position of a YAML document in block style, by the indentation of the
 * lines above.
 */
function pathAt(text: string, at: number): string[] {
  const end = text.indexOf('\n', at)
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n').map(readLine).toReversed()
  const path: string[] = []
  // Parents start left of this column.
  let limit = Infinity
  for (const { column, dashColumn, key } of lines) {
    const isFirst = path.length === 0
    if (!isFirst && key === '') continue
    if (isFirst || column < limit) {
      path.unshift(key)
      limit = dashColumn === undefined ? column : dashColumn + 1
    } else if (column === limit && dashColumn !== undefined) {
      // Fields of the same list item come first: the key of the list may be in the column of the dash.
      limit = dashColumn + 1
    }
  }
  return path
}

interface Line {
  /** Column of the key. */
  column: number
  /** Column of the first dash of a list item; undefined: no item starts here. */
  dashColumn: number | undefined
  key: string
}

function readLine(line: string): Line {
  const [, space = '', dashes = '', key = ''] = /^(\s*)((?:-\s+)*)([\w./-]*)/.exec(line) ?? []
  return {
    column: space.length + dashes.length,
    dashColumn: dashes === '' ? undefined : space.length,
    key,
  }
}
