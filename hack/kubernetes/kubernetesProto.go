// Writes messages.json, the structure of the messages in which Kubernetes' own Go clients write the built-in kinds: what
// their types' `protobuf` and `json` tags say, and no texts. Writes kinds.json, the kinds of each group version by the
// package of their messages. Run by update-kubernetes.sh in a module of its own.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var (
	// The words of each message that descriptor.ts reads, by package.
	messages = map[string]map[string]string{}
	// The kinds of each package, by group version; under `*` those that all groups have.
	kinds  = map[string]map[string][]string{}
	stable = regexp.MustCompile(`^v[0-9]+$`)
	// Types with a form of their own that the codec has in code.
	known = []string{"Time", "MicroTime", "Quantity", "IntOrString", "RawExtension", "FieldsV1", "JSON"}
	// Messages that have another form in JSON, which the codec knows by name.
	unions = []string{"JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray"}
)

func main() {
	for _, add := range []func(*runtime.Scheme) error{
		apidiscovery.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme,
		meta.AddMetaToScheme, metav1beta1.AddMetaToScheme,
	} {
		must(add(clientgo.Scheme))
	}
	for gvk, typ := range clientgo.Scheme.AllKnownTypes() {
		if stable.MatchString(gvk.Version) || gvk.Group == meta.GroupName {
			addKind(gvk.GroupVersion().String(), gvk.Kind, typ)
		}
	}
	write("messages.json", messages)
	write("kinds.json", kindLists())
}

// kindLists has the kinds that every group but meta.k8s.io registers only once, under `*`.
func kindLists() map[string]map[string]string {
	common := map[string]int{}
	groups := 0
	for gv, packages := range kinds {
		if !strings.HasPrefix(gv, meta.GroupName+"/") {
			groups++
			for _, kind := range packages[metaPackage] {
				common[kind]++
			}
		}
	}
	lists := map[string]map[string]string{"*": {}}
	everywhere := []string{}
	for kind, count := range common {
		if count == groups {
			everywhere = append(everywhere, kind)
		}
	}
	isCommon := func(kind string) bool { return slices.Contains(everywhere, kind) }
	for gv, packages := range kinds {
		lists[gv] = map[string]string{}
		for pkg, all := range packages {
			if own := slices.DeleteFunc(slices.Sorted(slices.Values(all)), isCommon); len(own) > 0 {
				lists[gv][pkg] = strings.Join(own, " ")
			}
		}
	}
	slices.Sort(everywhere)
	lists["*"][metaPackage] = strings.Join(everywhere, " ")
	return lists
}

// write encodes a file of the directory that the first argument names.
func write(file string, value any) {
	encoded, err := json.MarshalIndent(value, "", "  ")
	must(err)
	must(os.WriteFile(filepath.Join(os.Args[1], file), append(encoded, '\n'), 0o644))
}

const metaPackage = "meta/v1"

// addKind leaves out what has no protobuf form (Table).
func addKind(gv, kind string, typ reflect.Type) {
	if !isMessage(typ) || strings.HasPrefix(kind, "__") {
		return
	}
	if typ.Name() != kind {
		log.Fatalf("%s %s is the type %s", gv, kind, typ.Name())
	}
	pkg := addMessage(typ)
	if kinds[gv] == nil {
		kinds[gv] = map[string][]string{}
	}
	kinds[gv][pkg] = append(kinds[gv][pkg], kind)
}

// addMessage adds a type with all that it is made of, and gives its package.
func addMessage(typ reflect.Type) string {
	path := packageName(typ)
	if messages[path] == nil {
		messages[path] = map[string]string{}
	}
	if _, seen := messages[path][typ.Name()]; !seen {
		messages[path][typ.Name()] = ""
		messages[path][typ.Name()] = strings.Join(fieldsOf(typ, path), " ")
	}
	return path
}

func fieldsOf(typ reflect.Type, path string) []string {
	fields := []string{}
	for i := range typ.NumField() {
		field := typ.Field(i)
		tag := field.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			if field.Name != "TypeMeta" && field.Tag.Get("json") != "-" {
				log.Fatalf("%s.%s has no number", typ, field.Name)
			}
			continue
		}
		fields = append(fields, fieldLine(typ, field, path))
	}
	return fields
}

// fieldLine is `name:number:type`, with `!` after what is never omitted and `~` after what is omitted when zero; fields
// without either are omitted when empty. An inlined struct has no name.
func fieldLine(typ reflect.Type, field reflect.StructField, path string) string {
	words := strings.Split(field.Tag.Get("protobuf"), ",")
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	union := slices.Contains(unions, typ.Name())
	if union {
		name = strings.TrimPrefix(words[3], "name=")
	}
	inline := strings.Contains(options, "inline") || field.Anonymous && name == ""
	if inline != (name == "") || inline && field.Type.Kind() != reflect.Struct || name == "-" {
		log.Fatalf("%s.%s: %s", typ, field.Name, field.Tag)
	}
	line := name + ":" + words[1] + ":" + typeName(field.Type, path)
	switch {
	case strings.Contains(options, "omitzero"):
		if field.Type.Name() != "Time" {
			log.Fatalf("%s.%s: omitzero is known of times only", typ, field.Name)
		}
		return line + "~"
	case !strings.Contains(options, "omitempty") && !inline && !union:
		return line + "!"
	}
	return line
}

// typeName writes a type as Go does, but for maps, whose keys are always strings.
func typeName(typ reflect.Type, path string) string {
	switch {
	case typ.Kind() == reflect.Pointer:
		return "*" + typeName(typ.Elem(), path)
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8:
		return "bytes"
	case isMessage(typ):
		return messageName(typ, path)
	case typ.Kind() == reflect.Slice:
		return "[]" + typeName(typ.Elem(), path)
	case typ.Kind() == reflect.Map && typ.Key().Kind() == reflect.String:
		return "{}" + typeName(typ.Elem(), path)
	}
	switch kind := typ.Kind(); kind {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		return strings.Replace(kind.String(), "float64", "double", 1)
	}
	log.Fatalf("%s: no such type in protobuf", typ)
	return ""
}

func messageName(typ reflect.Type, from string) string {
	switch {
	case slices.Contains(known, typ.Name()):
		return typ.Name()
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.String:
		return "StringList"
	case marshalsJSON(typ) && !slices.Contains(unions, typ.Name()):
		log.Fatalf("%s has a JSON form that the codec does not know", typ)
	}
	to := addMessage(typ)
	if to == from {
		return typ.Name()
	}
	return to + "." + typ.Name()
}

func isMessage(typ reflect.Type) bool {
	_, marshals := reflect.PointerTo(typ).MethodByName("Unmarshal")
	return marshals
}

func marshalsJSON(typ reflect.Type) bool {
	_, marshals := reflect.PointerTo(typ).MethodByName("MarshalJSON")
	return marshals
}

// packageName is `core/v1` for k8s.io/api/core/v1, and the last two words of other paths.
func packageName(typ reflect.Type) string {
	words := strings.Split(typ.PkgPath(), "/")
	return strings.Join(words[len(words)-2:], "/")
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
