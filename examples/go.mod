module games.example/sealedmove/play

go 1.23

require games.example/sealedmove/client v0.0.0

replace games.example/sealedmove/client => ../build/clients/go
