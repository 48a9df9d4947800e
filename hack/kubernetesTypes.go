// Prints, as JSON, the structure of the built-in kinds that the server stores: what the published Go types, their tags and
// markers say of fields, and no texts. Reads the sources of three modules. Run by update-kubernetes-types.sh as
// `main <k8s.io/api> <k8s.io/apimachinery> <k8s.io/kube-aggregator> < kinds`, where each line of kinds is a package and its
// kinds.
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
	"strings"
)

// declared is a type with what is needed to read it.
type declared struct {
	spec    *ast.TypeSpec
	markers map[string][]string
	imports map[string]string
	pkg     string
}

// modules are the directories of the sources by the path that imports name them with.
type modules map[string]string

var (
	sources modules
	types   = map[string]map[string]*declared{}
	out     = map[string]map[string]string{}
	marker  = regexp.MustCompile(`^\+([A-Za-z:]+)(?:=(.*))?$`)
	// Types with a form of their own, which the schema has in code.
	known = map[string]string{
		"meta/v1.ObjectMeta": "ObjectMeta", "meta/v1.Time": "Time", "meta/v1.MicroTime": "MicroTime",
		"meta/v1.FieldsV1": "Any", "pkg/runtime.RawExtension": "Any", "util/intstr.IntOrString": "IntOrString",
		"api/resource.Quantity": "Quantity", "pkg/types.UID": "string",
	}
	scalars = map[string]string{
		"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int32", "float64": "double",
	}
)

func main() {
	sources = modules{"k8s.io/api": os.Args[1], "k8s.io/apimachinery": os.Args[2], "k8s.io/kube-aggregator": os.Args[3]}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		words := strings.Fields(input.Text())
		full := "k8s.io/api/" + words[0]
		if strings.HasPrefix(words[0], "apiregistration/") {
			full = "k8s.io/kube-aggregator/pkg/apis/" + words[0]
		}
		readPackage(full)
		for _, kind := range words[1:] {
			addType(words[0], kind)
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(out))
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

func markersOf(groups ...*ast.CommentGroup) map[string][]string {
	found := map[string][]string{}
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if parts := marker.FindStringSubmatch(text); parts != nil {
				found[parts[1]] = append(found[parts[1]], parts[2])
			}
		}
	}
	return found
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
	if first(typ.markers["structType"]) == "atomic" {
		words = append([]string{"|m=atomic"}, words...)
	}
	out[pkg][name] = strings.Join(words, " ")
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
			words = append(words, fieldWord(field, jsonName, options, target, from))
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
// is always there, `-` for one that is null where there is none; then `|` with list type, map type, patch strategy or
// default. Decoding fills a required field that is missing; the rules of the kind say what is wrong with it.
func fieldWord(field *ast.Field, name, options, target, from string) string {
	markers := markersOf(field.Doc)
	omits := strings.Contains(options, "omitempty")
	_, isOptional := markers["optional"]
	if _, also := markers["k8s:optional"]; also {
		isOptional = true
	}
	isRequired := !isOptional && !omits && !strings.Contains(options, "omitzero")
	plain := strings.TrimPrefix(target, "*")
	word := name + ":" + wordOf(plain, from)
	if isRequired {
		word += "!"
	}
	word += presence(target, options)
	return word + rules(field, markers)
}

// presence says what Go's encoder does with a zero value.
func presence(target, options string) string {
	omits := strings.Contains(options, "omitempty")
	isStruct := strings.Contains(target, ".") && !strings.ContainsAny(target, "[{*") || isTime(target)
	switch {
	case strings.Contains(options, "omitzero"):
		return "?"
	case target[0] == '*' && omits || target == "Any":
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

func rules(field *ast.Field, markers map[string][]string) string {
	text := ""
	if list := first(markers["listType"]); list != "" {
		text += "|l=" + list
		if keys := markers["listMapKey"]; len(keys) > 0 {
			text += ":" + strings.Join(keys, ",")
		}
	}
	if first(markers["mapType"]) == "atomic" || first(markers["structType"]) == "atomic" {
		text += "|m=atomic"
	}
	tag := reflect.StructTag("")
	if field.Tag != nil {
		tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
	}
	if strategy := tag.Get("patchStrategy"); strategy != "" {
		text += "|p=" + strategy
		if key := tag.Get("patchMergeKey"); key != "" {
			text += ":" + key
		}
	}
	if value := first(markers["default"]); json.Valid([]byte(value)) && !strings.Contains(value, " ") {
		text += "|d=" + value
	}
	return text
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
