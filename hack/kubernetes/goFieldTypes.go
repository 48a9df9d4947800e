// Prints, as JSON, the names of Go types that no schema shows: those of fields whose type is named and no struct, and the structs that
// are embedded. Usage: goFieldTypes DIRECTORY=PACKAGE…, where PACKAGE is as in `core.v1`. One entry a struct:
//
//	"core.v1.PodSpec": "restartPolicy=v1.RestartPolicy"
//	"core.v1.Probe": "httpGet<ProbeHandler"
//	"admissionregistration.v1.NamedRuleWithOperations": "scope<RuleWithOperations.Rule"
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

type goPackage struct {
	name  string
	types map[string]ast.Expr
	// others has the packages that the types may come from.
	others []goPackage
}

func main() {
	var packages []goPackage
	for _, argument := range os.Args[1:] {
		directory, name, _ := strings.Cut(argument, "=")
		packages = append(packages, read(directory, name))
	}
	words := map[string]string{}
	for _, one := range packages {
		one.others = packages
		one.addWords(words)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	check(encoder.Encode(words))
}

func read(directory, name string) goPackage {
	result := goPackage{name: name, types: map[string]ast.Expr{}}
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	check(err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		check(err)
		for _, declaration := range file.Decls {
			general, isGeneral := declaration.(*ast.GenDecl)
			if !isGeneral || general.Tok != token.TYPE {
				continue
			}
			for _, spec := range general.Specs {
				named := spec.(*ast.TypeSpec)
				result.types[named.Name.Name] = named.Type
			}
		}
	}
	return result
}

func (p goPackage) addWords(all map[string]string) {
	for name, definition := range p.types {
		structure, isStruct := definition.(*ast.StructType)
		if !isStruct || !ast.IsExported(name) {
			continue
		}
		if words := p.words(structure); len(words) > 0 {
			all[p.name+"."+name] = strings.Join(words, " ")
		}
	}
}

func (p goPackage) words(structure *ast.StructType) []string {
	var words []string
	for _, field := range structure.Fields.List {
		if len(field.Names) == 0 {
			words = append(words, p.embedded(field)...)
		} else if name := jsonName(field); name != "" {
			if goType, isNamed := p.typeOf(field.Type); isNamed {
				words = append(words, name+"="+goType)
			}
		}
	}
	return words
}

// embedded gives the fields that come from an embedded struct of the same package.
func (p goPackage) embedded(field *ast.Field) []string {
	identifier, isLocal := field.Type.(*ast.Ident)
	if !isLocal || jsonName(field) != "" {
		return nil
	}
	structure, isStruct := p.types[identifier.Name].(*ast.StructType)
	if !isStruct {
		return nil
	}
	var words []string
	for _, inner := range structure.Fields.List {
		if name := jsonName(inner); name != "" {
			words = append(words, name+"<"+identifier.Name)
		} else if len(inner.Names) == 0 {
			for _, word := range p.embedded(inner) {
				name, outer, _ := strings.Cut(word, "<")
				words = append(words, name+"<"+identifier.Name+"."+outer)
			}
		}
	}
	return words
}

// typeOf gives the type as Go prints it, and whether it has a name of its own that is no struct's.
func (p goPackage) typeOf(expression ast.Expr) (string, bool) {
	version := p.name[strings.LastIndex(p.name, ".")+1:]
	switch one := expression.(type) {
	case *ast.StarExpr:
		return p.typeOf(one.X)
	case *ast.ArrayType:
		inner, isNamed := p.typeOf(one.Elt)
		return "[]" + inner, isNamed
	case *ast.MapType:
		inner, isNamed := p.typeOf(one.Value)
		key, isKeyNamed := p.typeOf(one.Key)
		return "map[" + key + "]" + inner, isNamed || isKeyNamed
	case *ast.Ident:
		if definition, isLocal := p.types[one.Name]; isLocal {
			_, isStruct := definition.(*ast.StructType)
			// A schema says nothing of the struct that holds any value.
			return version + "." + one.Name, !isStruct || one.Name == "JSON"
		}
		return one.Name, false
	case *ast.SelectorExpr:
		name := one.X.(*ast.Ident).Name
		switch name {
		case "types":
			return name + "." + one.Sel.Name, true
		case "metav1", "v1", "corev1", "apiv1":
			return "v1." + one.Sel.Name, p.isNamedElsewhere(one.Sel.Name)
		}
		return name + "." + one.Sel.Name, false
	}
	return "", false
}

// isNamedElsewhere tells whether a type of the packages that all others import is no struct.
func (p goPackage) isNamedElsewhere(name string) bool {
	for _, other := range p.others {
		if other.name != "core.v1" && other.name != "meta.v1" {
			continue
		}
		if definition, isThere := other.types[name]; isThere {
			_, isStruct := definition.(*ast.StructType)
			return !isStruct
		}
	}
	return false
}

func jsonName(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
	name, _, _ := strings.Cut(tag, ",")
	return strings.Trim(name, "-")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
