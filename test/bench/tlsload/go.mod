module tlsload

go 1.24
