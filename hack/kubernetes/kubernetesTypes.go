// Prints, as JSON, the structure of the built-in kinds that the server stores: what the published Go types, their tags and
// markers say of fields, and no texts. Ends at a marker that is neither read nor known to say nothing about structure.
// Run by update-kubernetes-types.sh as `main <path>=<directory>… < kinds`, with the modules whose sources are read; each
// line of kinds is a package and its kinds.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// declared is a type with what is needed to read it.
type declared struct {
	spec    *ast.TypeSpec
	markers map[string][]string
	imports map[string]string
	pkg     string
}

// constant is a constant with what is needed to evaluate it. Its type is empty unless it is one of the same package.
type constant struct {
	typ     string
	value   ast.Expr
	imports map[string]string
}

// modules are the directories of the sources by the path that imports name them with.
type modules map[string]string

var (
	sources modules
	// constants are those of each package, by name.
	constants = map[string]map[string]*constant{}
	types     = map[string]map[string]*declared{}
	out       = map[string]map[string]string{}
	marker    = regexp.MustCompile(`^\+([A-Za-z][A-Za-z0-9:-]*)(?:\([^)]*\))?(?:=(.*))?$`)
	read      = map[string]bool{
		"optional": true, "required": true, "listType": true, "listMapKey": true, "mapType": true, "structType": true,
		"patchStrategy": true, "patchMergeKey": true, "default": true, "enum": true, "union": true,
		"unionDiscriminator": true, "featureGate": true,
	}
	// Markers that say nothing of the published structure, by the start of their name: clients and conversions to
	// generate, rules of declarative validation (the server's own rules are written beside each kind) and of the
	// validation of definitions that others make of these types, and protobuf's nullable maps.
	unread = []string{"genclient", "k8s:", "kubebuilder:", "protobuf", "oneOf", "zeroOrOneOf"}
	// Types with a form of their own, which the schema has in code.
	known = map[string]string{
		"meta/v1.ObjectMeta": "ObjectMeta", "meta/v1.Time": "Time", "meta/v1.MicroTime": "MicroTime",
		"meta/v1.FieldsV1": "FieldsV1", "pkg/runtime.RawExtension": "RawExtension",
		"util/intstr.IntOrString": "IntOrString", "api/resource.Quantity": "Quantity", "pkg/types.UID": "string",
		"apiextensions/v1.JSON": "JSON", "apiextensions/v1.JSONSchemaPropsOrArray": "JSONSchemaPropsOrArray",
		"apiextensions/v1.JSONSchemaPropsOrBool":        "JSONSchemaPropsOrBool",
		"apiextensions/v1.JSONSchemaPropsOrStringArray": "JSONSchemaPropsOrStringArray",
	}
	// Types whose encoder writes null or nothing for a zero value.
	opaque = map[string]bool{
		"RawExtension": true, "FieldsV1": true, "JSON": true, "JSONSchemaPropsOrArray": true,
		"JSONSchemaPropsOrBool": true, "JSONSchemaPropsOrStringArray": true,
	}
	scalars = map[string]string{
		"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int32", "float64": "double",
	}
)

func main() {
	sources = modules{}
	for _, argument := range os.Args[1:] {
		module, directory, _ := strings.Cut(argument, "=")
		sources[module] = directory
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		words := strings.Fields(input.Text())
		readPackage(pathOf(words[0]))
		for _, kind := range words[1:] {
			addType(words[0], kind)
			if types[words[0]][kind+"List"] != nil {
				addType(words[0], kind+"List")
			}
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	must(encoder.Encode(out))
}

// pathOf is where a package of a line of kinds is.
func pathOf(name string) string {
	group, _, _ := strings.Cut(name, "/")
	switch group {
	case "meta":
		return "k8s.io/apimachinery/pkg/apis/" + name
	case "pkg":
		return "k8s.io/apimachinery/" + name
	case "apiregistration":
		return "k8s.io/kube-aggregator/pkg/apis/" + name
	case "apiextensions":
		return "k8s.io/apiextensions-apiserver/pkg/apis/" + name
	}
	return "k8s.io/api/" + name
}

// shortName is `core/v1` for k8s.io/api/core/v1.
func shortName(full string) string {
	return path.Base(path.Dir(full)) + "/" + path.Base(full)
}

// readPackage reads a package of one of the modules, once; those that its fields refer to are read when met.
func readPackage(full string) {
	name := shortName(full)
	if types[name] != nil {
		return
	}
	directory := ""
	for module, root := range sources {
		if strings.HasPrefix(full, module+"/") {
			directory = filepath.Join(root, strings.TrimPrefix(full, module))
		}
	}
	if directory == "" {
		log.Fatalf("%s is in none of the modules", full)
	}
	types[name] = map[string]*declared{}
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	must(err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "zz_") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		must(err)
		readFile(parsed, name)
	}
}

func readFile(file *ast.File, name string) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		full := strings.Trim(spec.Path.Value, `"`)
		alias := path.Base(full)
		if spec.Name != nil {
			alias = spec.Name.Name
		}
		imports[alias] = full
	}
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if ok && general.Tok == token.CONST {
			readConstants(general, imports, name)
		}
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			typ := spec.(*ast.TypeSpec)
			markers := markersOf(general.Doc, typ.Doc)
			types[name][typ.Name.Name] = &declared{typ, markers, imports, name}
		}
	}
}

func readConstants(general *ast.GenDecl, imports map[string]string, name string) {
	if constants[name] == nil {
		constants[name] = map[string]*constant{}
	}
	for _, spec := range general.Specs {
		value := spec.(*ast.ValueSpec)
		if len(value.Values) != 1 {
			continue
		}
		typ, _ := value.Type.(*ast.Ident)
		if call, ok := value.Values[0].(*ast.CallExpr); ok && typ == nil {
			typ, _ = call.Fun.(*ast.Ident)
		}
		found := &constant{value: value.Values[0], imports: imports}
		if typ != nil {
			found.typ = typ.Name
		}
		constants[name][value.Names[0].Name] = found
	}
}

// textOf evaluates a constant string: a literal, a conversion of one, or another constant.
func textOf(pkg, name string) string {
	found := constants[pkg][name]
	if found == nil {
		log.Fatalf("%s has no constant %s", pkg, name)
	}
	expr := found.value
	if call, ok := expr.(*ast.CallExpr); ok && len(call.Args) == 1 {
		expr = call.Args[0]
	}
	switch expr := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(expr.Value)
		must(err)
		return text
	case *ast.Ident:
		return textOf(pkg, expr.Name)
	case *ast.SelectorExpr:
		full := found.imports[expr.X.(*ast.Ident).Name]
		readPackage(full)
		return textOf(shortName(full), expr.Sel.Name)
	}
	log.Fatalf("%s.%s: an unknown form of constant", pkg, name)
	return ""
}

func markersOf(groups ...*ast.CommentGroup) map[string][]string {
	found := map[string][]string{}
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if parts := marker.FindStringSubmatch(text); parts != nil {
				checkMarker(parts[1])
				found[parts[1]] = append(found[parts[1]], parts[2])
			}
		}
	}
	return found
}

func checkMarker(name string) {
	if read[name] || slices.ContainsFunc(unread, func(start string) bool { return strings.HasPrefix(name, start) }) {
		return
	}
	log.Fatalf("the marker +%s is neither read nor known to say nothing of the structure", name)
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// structOf is nil for types that are no struct.
func structOf(pkg, name string) (*declared, *ast.StructType) {
	typ := types[pkg][name]
	if typ == nil {
		log.Fatalf("%s has no type %s", pkg, name)
	}
	fields, _ := typ.spec.Type.(*ast.StructType)
	return typ, fields
}

func addType(pkg, name string) {
	if out[pkg] == nil {
		out[pkg] = map[string]string{}
	}
	if _, seen := out[pkg][name]; seen {
		return
	}
	out[pkg][name] = ""
	typ, _ := structOf(pkg, name)
	words := fieldsOf(pkg, name, pkg+"."+name)
	if union := unionOf(pkg, name); union != "" {
		words = append([]string{"|u=" + union}, words...)
	}
	if kind := first(typ.markers["structType"]); kind != "" {
		words = append([]string{"|m=" + kind}, words...)
	}
	out[pkg][name] = strings.Join(words, " ")
}

// unionOf is the union that a struct is by its markers, as JSON: the discriminating field and the Go names of the others.
func unionOf(pkg, name string) string {
	typ, fields := structOf(pkg, name)
	if _, isUnion := typ.markers["union"]; !isUnion {
		return ""
	}
	union := map[string]any{}
	members := map[string]string{}
	for _, field := range fields.Fields.List {
		jsonName, _ := jsonTag(field)
		if _, discriminates := markersOf(field.Doc)["unionDiscriminator"]; discriminates {
			union["discriminator"] = jsonName
			continue
		}
		members[jsonName] = field.Names[0].Name
	}
	union["fields-to-discriminateBy"] = members
	text, err := json.Marshal(union)
	must(err)
	return string(text)
}

// fieldsOf is the words of a struct's fields, in order, embedded ones in their place.
func fieldsOf(pkg, name, from string) []string {
	typ, fields := structOf(pkg, name)
	var words []string
	for _, field := range fields.Fields.List {
		jsonName, options := jsonTag(field)
		target := typeName(typ, field.Type)
		switch {
		case jsonName == "-":
		case target == "meta/v1.TypeMeta":
			words = append(words, "kind:string?", "apiVersion:string?")
		case jsonName == "":
			if len(field.Names) > 0 && !strings.Contains(options, "inline") {
				log.Fatalf("%s.%s: a field without a name", pkg, name)
			}
			inner, local, _ := strings.Cut(strings.TrimPrefix(target, "*"), ".")
			words = append(words, fieldsOf(inner, local, from)...)
		default:
			words = append(words, fieldWord(field, jsonName, options, target, from)+enumRule(typ, field.Type, from))
		}
	}
	return words
}

func jsonTag(field *ast.Field) (string, string) {
	if field.Tag == nil {
		return "", "inline"
	}
	tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
	name, options, _ := strings.Cut(tag, ",")
	return name, options
}

// fieldWord is `name:type` and then `!` for a required field, `?` for one that is left out when empty, `+` for one that
// is always there, `-` for one that is null where there is none; then `|` with list type (l), map type (m), patch
// strategy (p), default (d), feature gate (g) or enumeration (e). Decoding fills a required field that is missing; the rules of the kind say what is wrong with it.
func fieldWord(field *ast.Field, name, options, target, from string) string {
	markers := markersOf(field.Doc)
	omits := strings.Contains(options, "omitempty")
	_, isOptional := markers["optional"]
	_, isRequired := markers["required"]
	isRequired = isRequired || !isOptional && !omits
	plain := strings.TrimPrefix(target, "*")
	word := name + ":" + wordOf(plain, from)
	if isRequired {
		word += "!"
	}
	word += presence(target, options)
	pkg, _, _ := strings.Cut(from, ".")
	return word + rules(field, markers, pkg)
}

// presence says what Go's encoder does with a zero value.
func presence(target, options string) string {
	omits := strings.Contains(options, "omitempty")
	isStruct := strings.Contains(target, ".") && !strings.ContainsAny(target, "[{*") || isTime(target)
	switch {
	case strings.Contains(options, "omitzero"):
		return "?"
	case target[0] == '*' && omits || opaque[target]:
		return ""
	case target[0] == '*':
		return "-"
	case isStruct:
		return "+"
	case omits:
		return "?"
	}
	return "+"
}

func isTime(target string) bool {
	return target == "Time" || target == "MicroTime" || target == "ObjectMeta"
}

// rules are the markers of a field, and its tags where a marker is missing: patches of the server follow the tags.
func rules(field *ast.Field, markers map[string][]string, pkg string) string {
	text := ""
	if list := first(markers["listType"]); list != "" {
		text += "|l=" + list
		if keys := markers["listMapKey"]; len(keys) > 0 {
			text += ":" + strings.Join(keys, ",")
		}
	}
	for _, name := range []string{"mapType", "structType"} {
		if kind := first(markers[name]); kind != "" {
			text += "|m=" + kind
		}
	}
	tag := reflect.StructTag("")
	if field.Tag != nil {
		tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
	}
	if strategy := either(first(markers["patchStrategy"]), tag.Get("patchStrategy")); strategy != "" {
		text += "|p=" + strategy
		if key := either(first(markers["patchMergeKey"]), tag.Get("patchMergeKey")); key != "" {
			text += ":" + key
		}
	}
	if value := first(markers["default"]); value != "" {
		text += "|d=" + defaultOf(value, pkg)
	}
	if gate := first(markers["featureGate"]); gate != "" {
		text += "|g=" + gate
	}
	return text
}

// defaultOf is a default as JSON. One that a marker names is a constant of the package.
func defaultOf(value, pkg string) string {
	if strings.HasPrefix(value, "ref(") {
		value = strconv.Quote(textOf(pkg, strings.TrimSuffix(strings.TrimPrefix(value, "ref("), ")")))
	}
	if !json.Valid([]byte(value)) || strings.Contains(value, " ") {
		log.Fatalf("%s: the default %s is no JSON without blanks", pkg, value)
	}
	return value
}

func either(one, other string) string {
	if one != "" {
		return one
	}
	return other
}

// enumRule names the enumeration that a field's values, or its elements, are of. Its values are a line of the package.
func enumRule(typ *declared, expr ast.Expr, from string) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return enumRule(typ, expr.X, from)
	case *ast.ArrayType:
		return enumRule(typ, expr.Elt, from)
	case *ast.MapType:
		return enumRule(typ, expr.Value, from)
	case *ast.SelectorExpr:
		full := typ.imports[expr.X.(*ast.Ident).Name]
		return enumOf(shortName(full), expr.Sel.Name, from)
	case *ast.Ident:
		return enumOf(typ.pkg, expr.Name, from)
	}
	return ""
}

func enumOf(pkg, name, from string) string {
	typ := types[pkg][name]
	if typ == nil {
		return ""
	}
	here, _, _ := strings.Cut(from, ".")
	if underlying, ok := typ.spec.Type.(*ast.Ident); !ok || underlying.Name != "string" {
		return ""
	}
	if _, isEnum := typ.markers["enum"]; !isEnum {
		return ""
	}
	values := []string{}
	for local, found := range constants[pkg] {
		if found.typ == name && !slices.Contains(values, textOf(pkg, local)) {
			values = append(values, textOf(pkg, local))
		}
	}
	sort.Strings(values)
	text, err := json.Marshal(values)
	must(err)
	if out[pkg] == nil {
		out[pkg] = map[string]string{}
	}
	out[pkg]["="+name] = string(text)
	if pkg == here {
		return "|e=" + name
	}
	return "|e=" + pkg + "." + name
}

// wordOf writes a type as it stands in a package, and adds it where it is a struct.
func wordOf(target, from string) string {
	head := target[:len(target)-len(strings.TrimLeft(target, "*[]{}"))]
	name := target[len(head):]
	if !strings.Contains(name, ".") {
		return target
	}
	pkg, local, _ := strings.Cut(name, ".")
	addType(pkg, local)
	here, _, _ := strings.Cut(from, ".")
	if pkg == here {
		return head + local
	}
	return head + name
}

// typeName is `*`, `[]` and `{}` before a scalar, a known type or `package.Struct`.
func typeName(typ *declared, expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return "*" + typeName(typ, expr.X)
	case *ast.ArrayType:
		if element, ok := expr.Elt.(*ast.Ident); ok && element.Name == "byte" {
			return "bytes"
		}
		return "[]" + strings.TrimPrefix(typeName(typ, expr.Elt), "*")
	case *ast.MapType:
		return "{}" + strings.TrimPrefix(typeName(typ, expr.Value), "*")
	case *ast.SelectorExpr:
		full := typ.imports[expr.X.(*ast.Ident).Name]
		if form, ok := known[shortName(full)+"."+expr.Sel.Name]; ok {
			return form
		}
		readPackage(full)
		return named(shortName(full), expr.Sel.Name)
	case *ast.Ident:
		if scalar, ok := scalars[expr.Name]; ok {
			return scalar
		}
		return named(typ.pkg, expr.Name)
	}
	log.Fatalf("%s: an unknown form of type", typ.spec.Name.Name)
	return ""
}

func named(pkg, name string) string {
	if form, ok := known[pkg+"."+name]; ok {
		return form
	}
	typ := types[pkg][name]
	if typ == nil {
		log.Fatalf("%s.%s is not known", pkg, name)
	}
	if _, isStruct := typ.spec.Type.(*ast.StructType); isStruct {
		return pkg + "." + name
	}
	return typeName(typ, typ.spec.Type)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
