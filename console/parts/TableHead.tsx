/** Head of a small table. @param hasActions true if a last column without a name follows. */
export function TableHead({
  names,
  hasActions = false,
}: {
  names: readonly string[]
  hasActions?: boolean
}) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {hasActions ? <td /> : null}
      </tr>
    </thead>
  )
}
